package trace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
)

// Read reads cassettes from fsys. Their runs are joined in the order of files and numbered from 1. A value of the header may be
// absent in some files, but must not differ between files. All mistakes in all files are returned together with a nil trace, at
// most a hundred for each file.
func Read(fsys fs.FS, files []string, keep Keep) (*Trace, source.Errors) {
	return new(Reader).Read(fsys, files, keep)
}

// Reader reads one trace after another in the same memory. The zero value is ready to use.
type Reader struct {
	json jsonread.Reader
	data []byte // content of a short cassette
	one  reader // reader of the current cassette
}

// Read does what the function [Read] does.
func (in *Reader) Read(fsys fs.FS, files []string, keep Keep) (*Trace, source.Errors) {
	return in.read(fsys, files, keep, bounds)
}

// Bounds on all cassettes of a case together: many times what agents do, but small enough for the memory of a small machine.
const (
	MaxRuns  = 500_000
	MaxCalls = 600_000   // including the results of searches
	MaxTools = 30_000    // different tools that were called
	MaxParts = 1_000_000 // turns, delegations, distractors, deferred tools and results of searches

	maxTexts = 256 << 20
)

var bounds = limits{runs: MaxRuns, calls: MaxCalls, tools: MaxTools, parts: MaxParts, texts: maxTexts}

// limits are the bounds on one trace.
type limits struct {
	runs, calls, tools int // different tools
	parts              int // turns, delegations and distractors
	texts              int // bytes of arguments, results, answers and turns that are kept
}

// Bounds on texts that are always kept, in bytes: names of tools and servers, and texts of the header.
const (
	MaxName = 1000
	maxText = 10_000
)

func (in *Reader) read(fsys fs.FS, files []string, keep Keep, most limits) (*Trace, source.Errors) {
	into := &Trace{}
	all := &shared{tools: map[catalog.Ref]*Tool{}, most: most}
	var errs source.Errors
	if len(files) == 0 {
		errs.Addf(source.Pos{}, "no cassette to read")
	}
	for _, file := range files {
		in.one = reader{file: file, keep: keep, into: into, before: len(into.Runs), shared: all}
		errs = append(errs, in.readFile(fsys, file, &in.one)...)
	}
	in.one = reader{} // frees memory
	if len(errs) > 0 {
		return nil, errs.Sorted()
	}
	into.Catalog = into.Recorded
	return into, nil
}

func (in *Reader) readFile(fsys fs.FS, name string, r *reader) source.Errors {
	file, err := source.Open(fsys, name, source.MaxCassette)
	if err != nil {
		return asErrors(name, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil {
		r.size = info.Size()
	}
	// A file can grow after its size was read.
	r.json = in.open(io.LimitReader(file, source.MaxCassette), r.size)
	r.cassette()
	if r.json.Clean() {
		return nil
	}
	return locateMistakes(fsys, name, r.json)
}

// inMemory bounds the cassettes that are read at once, in bytes. Most cassettes are short, and there are many.
const inMemory = 64 << 10

// open returns a reader of a cassette. size is the file's size in bytes when it was opened.
func (in *Reader) open(file io.Reader, size int64) *jsonread.Reader {
	if size == 0 || size > inMemory {
		return jsonread.New(file)
	}
	in.data = slices.Grow(in.data[:0], int(size))[:size]
	n, err := io.ReadFull(file, in.data)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return jsonread.New(io.MultiReader(bytes.NewReader(in.data[:n]), file)) // this reader reports the error
	}
	in.json.Reset(in.data[:n])
	return &in.json
}

// locateMistakes returns the mistakes of a file. It reads the file again to find their lines.
func locateMistakes(fsys fs.FS, name string, json *jsonread.Reader) source.Errors {
	file, err := source.Open(fsys, name, source.MaxCassette)
	if err != nil {
		return asErrors(name, err)
	}
	defer file.Close()
	return json.Errors(name, file)
}

func asErrors(file string, err error) source.Errors {
	var at *source.Error
	if errors.As(err, &at) {
		return source.Errors{at}
	}
	return source.Errors{{Pos: source.Pos{File: file}, Msg: err.Error()}}
}

// reader reads one cassette into a trace.
type reader struct {
	file string
	size int64 // size of the file in bytes; 0 if unknown
	keep Keep
	json *jsonread.Reader
	into *Trace

	shared *shared
	before int    // number of runs in the previous cassettes
	calls  []Call // calls of the current run
	opens  opening

	partial *readPartial // nil except for partial recordings

	own       Header // of this cassette
	catalogAt int64  // position of its catalog
	listAt    int64  // position of its list of distractors
	faultsAt  int64  // position of its list of faults
	offered   offer  // the largest number of distractors that one of its runs was offered
}

// offer is a number of distractors and its position.
type offer struct {
	n, offset int64
}

// shared is the data that all cassettes of a trace share.
type shared struct {
	tools map[catalog.Ref]*Tool // without repeats
	names NameLists
	calls int
	parts int
	texts int
	most  limits
}

func (s *shared) tool(ref catalog.Ref) *Tool {
	tool, ok := s.tools[ref]
	if !ok {
		tool = &Tool{ref}
		s.tools[ref] = tool
	}
	return tool
}

// takeCalls returns a copy of the calls since the last takeCalls, without spare capacity; nil if there are none. The buffer is
// reused for the next run.
func (r *reader) takeCalls() []Call {
	if len(r.calls) == 0 {
		return nil
	}
	calls := make([]Call, len(r.calls))
	copy(calls, r.calls)
	clear(r.calls)
	r.calls = r.calls[:0]
	return calls
}

func (r *reader) add(run Run) {
	runs := r.into.Runs
	if most := r.shared.most.runs; len(runs) == most {
		r.json.Fatalf(r.json.Offset(), "has too many runs, at most %d are read", most)
		return
	}
	if len(runs) == cap(runs) {
		runs = append(make([]Run, 0, r.room(len(runs))), runs...)
	}
	if r.shared.texts += sizeOf(&run); r.shared.texts > r.shared.most.texts {
		r.json.Fatalf(r.json.Offset(), "has too much text that the suite asks for, at most %d bytes are read for a case; have more cases with fewer runs", r.shared.most.texts)
		return
	}
	run.Number = len(runs) + 1
	r.into.Runs = append(runs, run)
}

func sizeOf(run *Run) int {
	size := len(run.Error) + len(run.FinalResponse) + len(run.StopReason)
	for i := range run.Calls {
		if d := run.Calls[i].Detail; d != nil {
			size += len(d.Args) + len(d.Result) + len(d.Error) + d.Search.size()
		}
	}
	for i := range run.Turns {
		size += len(run.Turns[i].Content) + len(run.Turns[i].Role)
	}
	for _, d := range run.Extra.Value().Delegations {
		size += len(d.From) + len(d.To)
	}
	return size
}

// isPart counts a turn, a delegation or a distractor at an offset, and reports whether the bound allows it.
func (r *reader) isPart(offset int64) bool {
	r.shared.parts++
	if r.shared.parts > r.shared.most.parts {
		r.json.Fatalf(offset, "has too many turns, delegations and distractors, at most %d are read", r.shared.most.parts)
	}
	return r.shared.parts <= r.shared.most.parts
}

// room estimates the number of runs from the n that were read, because the runs of a long cassette are mostly of similar size.
// For other files, the estimate is at most a few times too large.
func (r *reader) room(n int) int {
	const least, most = 2, 8
	if n < least {
		return least
	}
	alike := n + n/4
	if here, own := r.json.Offset(), n-r.before; here > 0 && own > 0 {
		alike = n + int(1.02*float64(own)*float64(r.size-here)/float64(here))
	}
	if alike > 2*most*n { // a further step would not be the last
		alike = most * n
	}
	return min(r.shared.most.runs, max(n+n/8+1, alike))
}
