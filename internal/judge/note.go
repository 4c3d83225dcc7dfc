package judge

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
)

// Note is one piece of evidence for a gate's figures, such as a missed class or a tool that was called and should not have
// been. Its kind decides which of the fields are filled in.
type Note struct {
	Kind     string   // the Name of one of [Kinds]
	Subject  string   // the class, tool, intent or claim that the note is about
	Path     string   // file that contains Line; "" for the suite
	Line     int      // line of the subject in Path; 0 for the line of the gate
	Runs     []int    // sorted numbers of runs, counted from 1, without repeats
	MoreRuns int      // number of further runs that the note is about; they are not in Runs
	Calls    int      // number of calls, picks of a benchmark, or intents
	Call     int      // the position of a call in its run, from 1
	Text     string   // what was found
	Members  []string // tools that would have been right, in the spelling of the suite, or tools that were returned or called
	Queries  []string // queries of the searches
	Figure   Value    // the figure that the note is about
	Drop     Value    // how much the figure fell; negative if it rose
	Search   string   // the client whose search for tools the note is about
	Rank     int      // rank of the subject in the search, from 1; 0 if the search did not return the subject
	Was      int      // rank of the subject in the base; 0 if the search did not return the subject there
}

// Kind describes one kind of note. Renderings know nothing else about notes of the kind.
type Kind struct {
	Name   string  // name of the kind, and key of its list of notes in a JSON report
	Fields []Field // fields of an entry in the list of notes, in order
	Right  bool    // the notes are about right calls, so no rendering shows them

	Line  string // the wording of a line, see [Note.Say]
	Aside string // an addition to the line if there is room
	Noun  string // noun for notes, if only the first few are shown; "" if all are shown

	Title    string   // title of an annotation, without the subject that follows
	Message  []string // wordings of the lines of an annotation
	Annotate Annotate

	News News // how a comparison treats a note that is not in the base
}

// Field is a key of a note in a JSON report.
type Field struct {
	Key      string
	At       func(*Note) any // returns a pointer to the value
	Made     bool            // a model or a server may have made up the text, so it is redacted
	Optional bool            // the key is left out for an empty list and for the count 0
}

// Annotate defines when notes of a kind are annotated, and at which level.
type Annotate int

// A kind can be annotated in these ways.
const (
	NotAnnotated      Annotate = iota
	AsGate                     // a failure if the gate does not pass, otherwise a notice
	AsGateLast                 // like AsGate, but after the breaches of floors
	NoticeWhenFailing          // a notice if the gate does not pass
)

// News decides whether a new note makes a case worse than the base, and which list of a comparison contains the note.
type News int

// A new note is in one of these lists of a comparison, or in no list (NoNews).
const (
	NoNews News = iota
	NewMissed
	NewUnexpected
)

// KindOf returns the kind with a name; nil if [Kinds] does not have it.
func KindOf(name string) *Kind {
	return lists.Find(Kinds, func(k *Kind) bool { return k.Name == name })
}

// dropUnknown drops all notes if one has an unknown kind, because no rendering could show it. It returns a message about the kind.
func (g *Grounds) dropUnknown() string {
	for _, note := range g.Notes {
		if KindOf(note.Kind) == nil {
			g.Notes = nil
			return fmt.Sprintf("there is no kind of notes %q", note.Kind)
		}
	}
	return ""
}

// Of returns the notes of a kind, in order.
func (g *Grounds) Of(kind string) (list []Note) {
	for _, note := range g.Notes {
		if note.Kind == kind {
			list = append(list, note)
		}
	}
	return list
}

// Subjects returns the subjects of the notes of a kind.
func (g *Grounds) Subjects(kind string) []string {
	return lists.Map(g.Of(kind), func(n Note) string { return n.Subject })
}

// Among returns a text with the tools in the notes of a kind; "" if there are none.
func (g *Grounds) Among(kind string) string {
	tools := g.Subjects(kind)
	if len(tools) == 0 {
		return ""
	}
	return ": " + lists.FirstFive(tools)
}

// Words are the functions with which a rendering writes the parts of a note.
type Words struct {
	Subject func(*Note) string
	Name    func(string) string               // writes a name from the suite or a catalog
	Quote   func(string) string               // writes words of a user, a model or a server
	List    func([]string) string             // writes a list of names
	Runs    func(runs []int, more int) string // writes run numbers; more is the number of further runs
	Instead func(*Note) string                // returns the tools that were called in the runs of a note; nil if no rendering needs them
}

// Say returns a wording with the parts of the note that it names in braces: {subject}, {quoted} (the subject in quotation marks),
// {text}, {query} (the text in quotation marks), {calls}, {times}, {picks}, {intents}, {position}, {runs}, {figure}, {members} (the
// members with commas), {either} (the members with "or"), {instead} (the tools that were called in the runs), {searched}, {found}
// and {called} (the steps to a deferred tool), {search}, {was} and {rank}. Say returns "" if a part is an empty list.
func (n *Note) Say(wording string, w Words) string {
	var said strings.Builder
	for {
		before, after, found := strings.Cut(wording, "{")
		said.WriteString(before)
		if !found {
			return said.String()
		}
		part, rest, _ := strings.Cut(after, "}")
		text, listed := n.partText(part, w)
		if !listed {
			return ""
		}
		said.WriteString(text)
		wording = rest
	}
}

// partText returns a part of the note; listed is false if the part is an empty list.
func (n *Note) partText(name string, w Words) (text string, listed bool) {
	switch name {
	case "subject":
		return w.Subject(n), true
	case "quoted":
		return w.Quote(n.Subject), true
	case "text":
		if n.Text == "" {
			return "nothing", true
		}
		return w.Name(n.Text), true
	case "runs":
		return w.Runs(n.Runs, n.MoreRuns), true
	case "figure":
		return n.Figure.Format(), true
	case "query":
		return w.Quote(n.Text), true
	case "search":
		return w.Name(n.Search), true
	case "was":
		return Ordinal(n.Was), true
	case "rank":
		return n.rank(), true
	case "members":
		return w.List(n.Members), len(n.Members) > 0
	case "either":
		return strings.Join(lists.Map(n.Members, w.Name), " or "), len(n.Members) > 0
	case "instead":
		if w.Instead == nil {
			return "", false
		}
		text = w.Instead(n)
		return text, text != ""
	}
	if text = n.stepPart(name, w); text != "" {
		return text, true
	}
	return n.countPart(name)
}

// stepPart returns a part that describes how a run got a deferred tool; "" for any other part.
func (n *Note) stepPart(name string, w Words) string {
	listed := "nothing"
	if len(n.Members) > 0 {
		listed = w.List(n.Members)
	}
	switch name {
	case "searched":
		runs := CountOf(len(n.Runs)+n.MoreRuns, "run")
		switch {
		case n.Calls == 0 && len(n.Members) > 0:
			return runs + " did not search, and loaded " + listed + " by name"
		case n.Calls == 0:
			return runs + " did not search"
		}
		quoted := lists.Map(n.Queries, func(query string) string { return " " + w.Quote(query) })
		return runs + " searched" + strings.Join(quoted, ",") + " and got " + listed
	case "found": // the text of a note in a saved report is not trusted
		return Hunt{Rank: n.Call, ByName: n.Text == loadedByName}.howFound()
	case "called":
		return "called " + listed
	}
	return ""
}

func (n *Note) rank() string {
	if n.Rank == 0 {
		return "is in no result"
	}
	return "is " + Ordinal(n.Rank)
}

// Ordinal returns a rank as an ordinal number: 1st, 2nd, 3rd, 4th, 11th.
func Ordinal(n int) string {
	ending := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return strconv.Itoa(n) + ending
}

// countPart returns a text with the number of calls that a note is about. It returns an unknown part unchanged, so that a test
// finds it.
func (n *Note) countPart(name string) (text string, listed bool) {
	switch name {
	case "calls":
		return CountOf(n.Calls, "call"), true
	case "position":
		return strconv.Itoa(n.Call), true
	case "picks":
		return CountOf(n.Calls, "pick"), true
	case "intents":
		return CountOf(n.Calls, "intent"), true
	case "times":
		if n.Calls == 1 {
			return "once", true
		}
		return strconv.Itoa(n.Calls) + " times", true
	}
	return "{" + name + "}", true
}

// CountOf returns a count with its noun.
func CountOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
