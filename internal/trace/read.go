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
	json    jsonread.Reader
	data    []byte // content of a short cassette
	current reader // reader of the current cassette
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
	runs, calls, tools int // tools counts different tools
	parts              int // see MaxParts
	texts              int // bytes of the texts that are kept: arguments, results, answers, turns
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
		in.current = reader{file: file, keep: keep, into: into, runsBefore: len(into.Runs), shared: all}
		errs = append(errs, in.readFile(fsys, file, &in.current)...)
	}
	in.current = reader{} // frees memory
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
	r.readCassette()
	if r.json.Clean() {
		return nil
	}
	return locateMistakes(fsys, name, r.json)
}

// maxInMemory is the greatest size in bytes of a cassette that is read as a whole. Most cassettes are short, and there are many.
const maxInMemory = 64 << 10

// open returns a reader of a cassette. size is the file's size in bytes when it was opened.
func (in *Reader) open(file io.Reader, size int64) *jsonread.Reader {
	if size == 0 || size > maxInMemory {
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

	shared     *shared
	runsBefore int    // number of runs in the previous cassettes
	run        Run    // the current run
	calls      []Call // its calls
	opening    opening

	partial *partialReader // nil except for partial recordings

	own           Header // header of this cassette
	catalogAt     int64  // position of its catalog
	distractorsAt int64  // position of its list of distractors
	faultsAt      int64  // position of its list of faults
	mostOffered   offer  // the largest number of distractors that a run of this cassette was offered
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

func (r *reader) addRun(run Run) {
	runs := r.into.Runs
	if most := r.shared.most.runs; len(runs) == most {
		r.json.Fatalf(r.json.Offset(), "has too many runs, at most %d are read", most)
		return
	}
	if len(runs) == cap(runs) {
		runs = append(make([]Run, 0, r.estimateRuns(len(runs))), runs...)
	}
	r.shared.texts += sizeOf(&run)
	if r.shared.texts > r.shared.most.texts {
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

// countPart counts a part at an offset, and reports whether the bound allows it; see [MaxParts].
func (r *reader) countPart(offset int64) bool {
	r.shared.parts++
	if r.shared.parts > r.shared.most.parts {
		r.json.Fatalf(offset, "has too many turns, delegations, distractors, deferred tools and search results, at most %d are read", r.shared.most.parts)
	}
	return r.shared.parts <= r.shared.most.parts
}

// estimateRuns returns the number of runs for which memory is allocated after n runs were read. It assumes that the other runs
// of the cassette have the same size, which is mostly true of long cassettes. For other files, the estimate is at most a few
// times too large.
func (r *reader) estimateRuns(n int) int {
	const least, maxGrowth = 2, 8
	if n < least {
		return least
	}
	estimate := n + n/4
	offset, inFile := r.json.Offset(), n-r.runsBefore
	if offset > 0 && inFile > 0 {
		rest := float64(r.size-offset) / float64(offset)
		estimate = n + int(1.02*float64(inFile)*rest)
	}
	if estimate > 2*maxGrowth*n { // memory must be allocated again in any case
		estimate = maxGrowth * n
	}
	return min(r.shared.most.runs, max(n+n/8+1, estimate))
}
