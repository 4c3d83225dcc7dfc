package bench

import (
	"cmp"
	"math/big"
	"slices"
	"sort"
)

// Result is the result of a benchmark. A tool has its name in the catalog, or server.name if several tools have the same name.
type Result struct {
	Intents int // at least 1
	Correct int // intents for which a gold tool was picked

	WilsonLow, WilsonHigh int // 95 % interval of the accuracy, in 1/10000

	MeanScore, MinScore int            // scores of the tools' descriptions, in 1/10000
	Smells              map[string]int // findings by smell; a smell without findings is not in the map

	// WhitespaceTokens is the number of words, split at white space, in the names, descriptions and input schemas of the tools.
	// The schemas are counted without the white space between their JSON tokens.
	WhitespaceTokens int64
	SurfaceTokens    int64 // cl100k_base; 0 unless Counted
	Counted          bool  // a [Counter] was given

	// SchemasUnknown means that the catalog is a manifest. Scores and tokens are then unknown, and smells are those of names and
	// descriptions.
	SchemasUnknown bool

	// Effects are in the order of [Spec].Mutations. If [Spec].Auto is true, they are sorted by drop, largest first, then by tool.
	Effects    []Effect
	Confusions []Confusion
}

// Effect is the effect of one mutation.
type Effect struct {
	Tool     string
	Mutation Mutation
	Correct  int            // intents for which a gold tool is picked afterwards
	Lost     int            // Result.Correct - Correct; below 0 if more picks are right than before
	Flipped  []string       // queries whose pick became wrong, or became right; in the order of the intents
	Smells   map[string]int // findings by smell that the tool did not have before

	// WhitespaceRemoved and SurfaceRemoved are the tokens that the tool lost; below 0 if it gained tokens. SurfaceRemoved is 0
	// unless Result.Counted.
	WhitespaceRemoved, SurfaceRemoved int
}

// Confusion is an intent for which no gold tool was picked.
type Confusion struct {
	Query  string
	Gold   []string
	Picked string // "" if the query shares no term with any tool

	First []Ranked // the tools that the selector ranks first, at most [mostExplained]
}

// Ranked is a tool that shares words with a query.
type Ranked struct {
	Tool  string
	Score int64 // in 1e-9
	Words []Word
}

// Word is a word of a query that occurs in a tool, in any form.
type Word struct {
	Text   string
	Weight int64    // points that the word adds to the tool's score, in 1e-9
	Where  []string // fields of the tool in which the word occurs: name, description
}

// tied returns the tools of First that share the first place; nil if only one tool has it.
func (c Confusion) tied() []string {
	var tied []string
	for _, r := range c.First {
		if r.Score == c.First[0].Score {
			tied = append(tied, r.Tool)
		}
	}
	if len(tied) < 2 {
		return nil
	}
	return tied
}

// theft is a tool that was picked for intents of other tools.
type theft struct {
	Tool    string // "" for intents for which nothing was picked
	Intents []Confusion
}

// Accuracy returns the share of intents for which a gold tool was picked.
func (r *Result) Accuracy() *big.Rat { return r.share(r.Correct) }

// AccuracyAfter returns the accuracy after a mutation.
func (r *Result) AccuracyAfter(e Effect) *big.Rat { return r.share(e.Correct) }

// Drop returns the accuracy before a mutation minus the accuracy after it.
func (r *Result) Drop(e Effect) *big.Rat { return r.share(e.Lost) }

func (r *Result) share(intents int) *big.Rat { return big.NewRat(int64(intents), int64(r.Intents)) }

// MaxDrop returns the largest drop of any mutation, and whether there was a mutation.
func (r *Result) MaxDrop() (*big.Rat, bool) {
	if len(r.Effects) == 0 {
		return nil, false
	}
	worst := slices.MaxFunc(r.Effects, func(a, b Effect) int { return cmp.Compare(a.Lost, b.Lost) })
	return r.Drop(worst), true
}

// thefts groups the confusions by the tool that was picked. The tool with the most confusions comes first.
func (r *Result) thefts() []theft {
	var thefts []theft
	at := map[string]int{}
	for _, c := range r.Confusions {
		i, ok := at[c.Picked]
		if !ok {
			i = len(thefts)
			at[c.Picked] = i
			thefts = append(thefts, theft{Tool: c.Picked})
		}
		thefts[i].Intents = append(thefts[i].Intents, c)
	}
	sort.SliceStable(thefts, func(i, j int) bool {
		a, b := &thefts[i], &thefts[j]
		return cmp.Or(cmp.Compare(len(b.Intents), len(a.Intents)), cmp.Compare(a.Tool, b.Tool)) < 0
	})
	return thefts
}
