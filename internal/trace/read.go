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

// Read reads cassettes from fsys. Their runs are put together in the order of files and numbered from 1; what stands
// above the runs may differ in no file from another, but may be absent in some. All mistakes in all files are returned
// together, with a nil trace, the first hundred of each file.
func Read(fsys fs.FS, files []string, keep Keep) (*Trace, source.Errors) {
	return new(Reader).Read(fsys, files, keep)
}

// Reader reads one trace after another in the same memory. The zero value is ready to use.
type Reader struct {
	json jsonread.Reader
	data []byte // of a short cassette
	one  reader // of the cassette that is being read
}

// Read does what the function of that name does.
func (in *Reader) Read(fsys fs.FS, files []string, keep Keep) (*Trace, source.Errors) {
	return in.read(fsys, files, keep, bounds)
}

// What all cassettes of a case hold together at most: many times what agents do, and little enough for the memory of a small
// machine.
const (
	MaxRuns  = 500_000
	MaxCalls = 600_000   // and what searches among them found
	MaxTools = 30_000    // different ones that were called
	MaxParts = 1_000_000 // turns, delegations, distractors, deferred tools and what searches found

	maxTexts = 256 << 20
)

var bounds = limits{runs: MaxRuns, calls: MaxCalls, tools: MaxTools, parts: MaxParts, texts: maxTexts}

// limits is what one trace holds at most.
type limits struct {
	runs, calls, tools int // different tools
	parts              int // turns, delegations and distractors
	texts              int // bytes of arguments, results, answers and turns that are kept
}

// The bounds of texts that are kept whatever is asked for, in bytes: names of tools and servers, and what stands above the runs.
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
	in.one = reader{} // which may hold much
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
	// A file can grow after it was measured.
	r.json = in.open(io.LimitReader(file, source.MaxCassette), r.size)
	r.cassette()
	if r.json.Clean() {
		return nil
	}
	return locateMistakes(fsys, name, r.json)
}

// inMemory bounds the cassettes that are read as a whole, in bytes. Most are short, and there are many.
const inMemory = 64 << 10

// open returns a reader of a cassette that was size bytes long when it was opened.
func (in *Reader) open(file io.Reader, size int64) *jsonread.Reader {
	if size == 0 || size > inMemory {
		return jsonread.New(file)
	}
	in.data = slices.Grow(in.data[:0], int(size))[:size]
	n, err := io.ReadFull(file, in.data)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return jsonread.New(io.MultiReader(bytes.NewReader(in.data[:n]), file)) // which says what is wrong with it
	}
	in.json.Reset(in.data[:n])
	return &in.json
}

// locateMistakes returns the mistakes of a file, which is read again to find their lines.
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
	size int64 // of the file in bytes; 0 when unknown
	keep Keep
	json *jsonread.Reader
	into *Trace

	shared *shared
	before int    // runs of the cassettes before
	calls  []Call // of the run that is being read
	opens  opening

	partial *readPartial // nil for every reader but that of partial recordings

	own       Header // of this cassette
	catalogAt int64  // where its catalog stands
	listAt    int64  // where its list of distractors stands
	faultsAt  int64  // where its list of faults stands
	offered   offer  // the largest number of distractors that one of its runs was offered
}

// offer is a number of distractors and where it stands.
type offer struct {
	n, offset int64
}

// shared is what all cassettes of a trace share.
type shared struct {
	tools map[catalog.Ref]*Tool // each once
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

// takeCalls returns the calls that were read since the last time, nil when there are none. A run is written into the same
// memory as the one before, and kept in no more than it needs.
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

// isPart counts a turn, a delegation or a distractor at an offset, and reports whether it may be kept.
func (r *reader) isPart(offset int64) bool {
	r.shared.parts++
	if r.shared.parts > r.shared.most.parts {
		r.json.Fatalf(offset, "has too many turns, delegations and distractors, at most %d are read", r.shared.most.parts)
	}
	return r.shared.parts <= r.shared.most.parts
}

// room estimates how many runs there will be, from the n that were read: the runs of a long cassette are much alike. A
// file that is not like that gets no more than a few times the memory that its runs need.
func (r *reader) room(n int) int {
	const least, most = 2, 8
	if n < least {
		return least
	}
	alike := n + n/4
	if here, own := r.json.Offset(), n-r.before; here > 0 && own > 0 {
		alike = n + int(1.02*float64(own)*float64(r.size-here)/float64(here))
	}
	if alike > 2*most*n { // one more step would not be the last
		alike = most * n
	}
	return min(r.shared.most.runs, max(n+n/8+1, alike))
}
