package shard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report"
)

// Weights are the amounts of work of cases, from a report of an earlier check.
type Weights struct {
	SHA256 string // hash of the report's bytes

	byID  map[string]int64
	usual int64 // weight of a case that the report lacks
}

// ReadWeights reads weights from a report of at most 256 MiB. A report has no durations, because it does not depend on when it
// is made. The weight of a case is the number of tokens of its runs, because a model took time for them; if no case of the
// report has tokens, it is the number of runs. A case without a weight of its own has the median of the others.
func ReadWeights(in io.Reader) (*Weights, error) {
	hash := sha256.New()
	r, err := readReport(io.TeeReader(in, hash))
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(hash, in); err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	w := &Weights{SHA256: hex.EncodeToString(hash.Sum(nil)), byID: map[string]int64{}}
	w.setWeights(r.Cases)
	return w, nil
}

// setWeights sets the weights of cases. A weight is at least 1, and at most a bound that prevents overflow in sums.
func (w *Weights) setWeights(cases []report.Case) {
	const most = 1 << 40
	hasTokens := slices.ContainsFunc(cases, func(c report.Case) bool { return c.Tokens != nil })
	var known []int64
	for i := range cases {
		one := &cases[i]
		weight := int64(one.Runs.Recorded)
		if hasTokens && one.Tokens == nil {
			continue
		}
		if hasTokens {
			weight = one.Tokens.Total
		}
		weight = min(max(weight, 1), most)
		w.byID[one.ID] = weight
		known = append(known, weight)
	}
	w.usual = 1
	if len(known) > 0 {
		slices.Sort(known)
		w.usual = known[(len(known)-1)/2]
	}
}

// balance returns the shard of each case: the heaviest cases first, each in the shard that is lightest so far. Cases with the
// same weight are ordered by their ids, shards with the same weight by their number.
func (w *Weights) balance(ids []string, of int) []int {
	type weighed struct {
		at     int
		weight int64
	}
	order := make([]weighed, len(ids))
	for i, id := range ids {
		order[i] = weighed{i, w.usual}
		if weight, known := w.byID[id]; known {
			order[i].weight = weight
		}
	}
	lists.SortStable(order, func(a, b *weighed) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(ids[a.at], ids[b.at]))
	})
	shards, load := make([]int, len(ids)), make([]int64, of)
	for _, one := range order {
		lightest := 0
		for s := range load {
			if load[s] < load[lightest] {
				lightest = s
			}
		}
		load[lightest] += one.weight
		shards[one.at] = 1 + lightest
	}
	return shards
}
