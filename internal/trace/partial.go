package trace

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
)

// PartialSuffix is the suffix of a partial recording's name, after the name of the final recording.
const PartialSuffix = ".partial"

// IsPartial reports whether a file has the name of a partial recording.
func IsPartial(name string) bool { return strings.HasSuffix(name, PartialSuffix) }

// Advice about a partial recording: ResumeCommand makes the missing runs; BeginAgain is for a recording that cannot be resumed.
const (
	ResumeCommand = "mcp-gates run --record --resume"
	BeginAgain    = "remove the file, and record again"
)

// NotWhole is the message for a partial recording that is read as a recording. A partial recording is not judged, because some
// of its runs are missing, and somebody could choose the missing runs.
const NotWhole = `is a part of a recording, which is not judged; "` + ResumeCommand + `" makes the missing runs`

// Partial is a recording with missing runs: the runs of a case that have ended so far. Its file is written as the runs end, one
// JSON object a line, so that no run is lost however the program ends. The first line has the header, and the others have the
// runs. Each line begins with the key "partial", so that every other reader refuses it.
type Partial struct {
	Header
	MadeWith []Fact       // the inputs of the runs
	Runs     []PartialRun // runs in the order in which they ended
}

// Fact is an input of the runs, as a hash of its value in the suite.
type Fact struct {
	Of     string `json:"of"` // such as "prompt"
	SHA256 string `json:"sha256"`
}

// PartialRun is a run of a partial recording, with the number under which it was made.
type PartialRun struct {
	Run
	Beside        int           // number of the broken run that this run was made in addition to; 0 for none
	ProviderModel string        // [Header.ProviderModel] for this run
	Deferred      []catalog.Ref // [Header.Deferred] for this run
}

// partialLine matches the beginning of each line of a partial recording.
var partialLine = regexp.MustCompile(`^\{\s*"partial"\s*:\s*true\b`)

// IsPartialLine reports whether a JSON value begins like a line of a partial recording.
func IsPartialLine(value []byte) bool { return partialLine.Match(value) }

type partialHead struct {
	Partial bool `json:"partial"`
	cassetteHead
	MadeWith []Fact `json:"made_with"`
}

type partialRun struct {
	Partial       bool          `json:"partial"`
	Number        int           `json:"number"`
	Beside        int           `json:"beside,omitzero"`
	ProviderModel string        `json:"provider_model,omitzero"`
	Deferred      []catalog.Ref `json:"deferred,omitzero"`
	writtenRun
}

// WriteHead writes the first line, which has the header.
func (p *Partial) WriteHead(w io.Writer) error {
	return writeLine(w, partialHead{true, cassetteHead{1, p.Header}, p.MadeWith})
}

// WriteLine writes the run as one line.
func (run *PartialRun) WriteLine(w io.Writer) error {
	written, err := newWrittenRun(&run.Run)
	if err != nil {
		return fmt.Errorf("write partial recording: %w", err)
	}
	return writeLine(w, partialRun{true, run.Number, run.Beside, run.ProviderModel, run.Deferred, written})
}

// writeLine writes a value as one line. It compacts raw values, which can contain line breaks.
func writeLine(w io.Writer, value any) error {
	line, err := json.Marshal(value, layout())
	if err == nil {
		err = (*jsontext.Value)(&line).Compact(jsontext.PreserveRawStrings(true), jsontext.AllowDuplicateNames(true))
	}
	if err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write partial recording: %w", err)
	}
	return nil
}

// ReadPartial reads a partial recording. An incomplete last line was being written when the program ended, and is left out.
// Without a complete line there are no runs.
func ReadPartial(fsys fs.FS, name string) (*Partial, source.Errors) {
	file, err := source.Open(fsys, name, source.MaxCassette)
	if err != nil {
		return nil, asErrors(name, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, source.MaxCassette))
	if err != nil {
		return nil, asErrors(name, err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	p := &Partial{}
	if len(text) == 0 {
		return p, nil
	}
	r := &reader{
		file: name, size: int64(len(text)), keep: KeepArgs | KeepResults | KeepTurns | KeepAnswers, into: &Trace{},
		shared: &shared{tools: map[catalog.Ref]*Tool{}, most: bounds}, json: jsonread.NewBytes(text),
		partial: &partialReader{of: p, numbers: map[int]bool{}},
	}
	r.readCassette()
	r.finishPartial()
	if !r.json.Clean() {
		return nil, r.json.Errors(name, bytes.NewReader(text)).Sorted()
	}
	p.Header = r.into.Header
	return p, nil
}

// partialReader has the values of a partial recording for which the format of cassettes has no key.
type partialReader struct {
	of       *Partial
	isMarked bool       // the first line has "partial"
	line     PartialRun // values of the current line for which the format of cassettes has no key
	numbers  map[int]bool
}

// refusePartial refuses a line of a partial recording in any other file, and reports whether key identifies such a line.
func (r *reader) refusePartial(key string) bool {
	if key != "partial" || r.json.Kind() != 't' {
		return false
	}
	if r.partial != nil {
		r.json.Skip()
		return true
	}
	r.json.Fatalf(r.json.Offset(), "%s", NotWhole)
	return true
}

// readPartialHead reads the value of a key that only the first line of a partial recording has, and reports whether key is such a
// key.
func (r *reader) readPartialHead(key string) bool {
	if r.refusePartial(key) {
		if r.partial != nil {
			r.partial.isMarked = true
		}
		return true
	}
	if r.partial == nil || key != "made_with" {
		return false
	}
	r.json.Array(`"made_with"`, func(int) {
		var one Fact
		offset := r.json.Offset()
		r.json.Fields("a fact", func(key string) {
			switch key {
			case "of":
				one.Of = r.readText(`"of"`)
			case "sha256":
				one.SHA256 = r.readHash(`"sha256"`)
			}
		})
		if r.countPart(offset) {
			r.partial.of.MadeWith = append(r.partial.of.MadeWith, one)
		}
	})
	return true
}

// readPartialKey reads the value of a key that only a run of a partial recording has, and reports whether key is such a key.
func (r *reader) readPartialKey(key string) bool {
	if r.partial == nil {
		return false
	}
	line := &r.partial.line
	switch key {
	case "number":
		line.Number = int(r.readCount(`"number"`).N)
	case "beside":
		line.Beside = int(r.readCount(`"beside"`).N)
	case "provider_model":
		line.ProviderModel = r.readText(`"provider_model"`)
	case "deferred":
		line.Deferred = r.readRefs(`"deferred"`, "a deferred tool", MaxDeferred)
	default:
		return false
	}
	return true
}

func (r *reader) addPartialRun(offset int64, runs int) {
	if r.partial == nil || len(r.into.Runs) == runs {
		return
	}
	one := r.partial.line
	r.partial.line = PartialRun{}
	number := one.Number
	one.Run = r.into.Runs[runs]
	one.Run.Number = number
	if number < 1 || r.partial.numbers[number] {
		r.json.Mistakef(offset, `"number" is %d, expected that of a run that no other line has`, number)
	}
	r.partial.numbers[number] = true
	r.partial.of.Runs = append(r.partial.of.Runs, one)
}

func (r *reader) finishPartial() {
	if !r.json.Clean() {
		return
	}
	if !r.partial.isMarked || len(r.partial.of.Runs) != len(r.into.Runs) {
		r.json.Mistakef(0, `is not a part of a recording, which has "partial" in its first line and a run in each other`)
	}
}
