package tell

import "github.com/org/mcp-gates/internal/report"

// Cassette is a recording that was added, removed or changed.
type Cassette struct {
	Path    string
	Became  Line   // added, removed or changed
	Runs    string // numbers of runs before and now
	Written Line   // recorder that wrote the recording; nil for a removed recording
	Doubt   bool   // the recording names no recorder, or lacks the hash of its prompt or of its catalog; false if it was removed
}

func (s *Story) changedCassettes() []Cassette {
	if s.compared == nil {
		return nil
	}
	var list []Cassette
	for _, c := range s.compared.Cassettes {
		one := Cassette{Path: c.Path, Became: changeWord(c.Kind), Runs: arrow(count(c.Base), count(c.Head))}
		switch {
		case c.Kind == report.Added:
			one.Runs = count(c.Head)
		case c.Kind == report.Removed:
			one.Runs = count(c.Base)
		}
		switch {
		case c.Kind == report.Removed:
		case c.ByRecorder():
			one.Written = say(name(string(c.Recorder)))
		case c.Recorder != "":
			one.Written, one.Doubt = say(name(string(c.Recorder)), ", without hashes"), true
		default:
			one.Written, one.Doubt = say("no recorder"), true
		}
		list = append(list, one)
	}
	return list
}

// changeWord returns added, removed or changed as a word of this program. Any other word, which only a saved report can hold, is
// returned as a name.
func changeWord(word string) Line {
	switch word {
	case report.Added, report.Removed, report.Changed:
		return say(word)
	}
	return say(name(word))
}

func (s *Story) byAuthor() Line {
	switch {
	case len(s.Cassettes) == 0:
		return nil
	case s.report.Mode == report.Live:
		return say("What was added or changed was recorded in this run.")
	}
	return say("Recordings are evidence on their author's word. Where that is not enough, record in CI.")
}
