// Package logs has what the formats of logs have in common: recognising a format, joining calls with their results so that each
// is counted once, splitting the names that clients give to tools, cutting sessions into runs, and counting what could not be
// read.
//
// A [Format] is a value in a file of its own, in the package of its family. Its reader gets one JSON value of a log after another
// (a line of JSON Lines, an element of a list, or a whole document) and notes in a [Session] what it finds: messages, calls that a
// model asked for, results, executions, tokens.
//
// Nothing is guessed: what a log does not say is absent.
package logs

import (
	"bufio"
	"io/fs"
	"slices"

	"github.com/org/mcp-gates/internal/source"
)

// Format is a format of logs.
type Format struct {
	Name string // the word in format: and after --from

	// Builtins are the tools of the agent itself, such as its shell, as its logs name them.
	Builtins []string

	// SingleUnderscore says that mcp_SERVER_TOOL is how the client spells a tool of a server.
	SingleUnderscore bool

	// Interleaved says that records of one session can stand anywhere in the input, between those of others: sessions are
	// complete at the end of all files.
	Interleaved bool

	// Wraps reports whether programs put what the format has under a key of another object, such as "request"; nil where the
	// log's own objects are all that is looked at.
	Wraps func(key string) bool

	// Finish is called when a session is complete, before its runs are made; nil where there is nothing to do.
	Finish func(s *Session)

	// Open returns the reader of one file.
	Open func(to *Sink) Reader
}

// Formats are those that logs are read as. Names and recognition go by their order.
type Formats []*Format

// Find returns the format of a name; nil when there is none.
func (f Formats) Find(name string) *Format {
	if i := slices.IndexFunc(f, func(one *Format) bool { return one.Name == name }); i >= 0 {
		return f[i]
	}
	return nil
}

// Names lists the names of the formats, in their order.
func (f Formats) Names() []string {
	names := make([]string, len(f))
	for i, one := range f {
		names[i] = one.Name
	}
	return names
}

// Reader reads the values of one file.
type Reader interface {
	// Value reads the next value, which is only valid until Value returns.
	Value(v Value)
}

// Ender is a [Reader] that has something to do at the end of the file. The sessions that are still open are complete then,
// unless the format is [Format.Interleaved].
type Ender interface{ End() }

// Options say how logs are read.
type Options struct {
	Format    string            // the name of a format; "" or Auto recognises it, file by file
	Servers   []string          // the servers that names of tools are split by
	Lone      string            // the server of calls that name none; "" leaves them without
	ServerMap map[string]string // server by the prefix of a tool's name
	Split     Split
	Subagents Subagents
}

// Auto is the word for recognising the format.
const Auto = "auto"

// Split says what a run is.
type Split string

// The ways of cutting a session into runs.
const (
	SplitSession Split = "session" // all of it; the default
	SplitTurn    Split = "turn"    // each user message with what follows up to the next
)

// Subagents says whether the calls of sub-agents are calls of the run.
type Subagents string

// What becomes of the calls of sub-agents.
const (
	SubagentsInclude  Subagents = "include" // the default
	SubagentsLeaveOut Subagents = "leave-out"
)

// Read reads the files, in order, and hands each run to yield; the run is yield's to keep. An error of yield ends reading and
// is returned. Otherwise the account says what was read and what could not be; a file that cannot be read at all, or whose
// format is not known, is a mistake in it.
func (f Formats) Read(fsys fs.FS, files []string, o Options, yield func(*Run) error) (*Account, error) {
	in := newImport(f, o, yield)
	defer in.spill.close()
	for _, file := range files {
		if err := in.file(fsys, file); err != nil {
			return in.account, err
		}
	}
	return in.account, in.finish()
}

// importing is one import.
type importing struct {
	formats  Formats
	options  Options
	yield    func(*Run) error
	account  *Account
	names    names
	seen     map[[16]byte]struct{} // ids of records
	spill    spill
	catalogs catalogs
	buffer   *bufio.Reader
	sinks    map[*Format]*Sink // of formats whose sessions stay open over files
	used     []*Format         // keys of sinks, in the order of their first file
	err      error             // of yield, or of the spill
}

func newImport(f Formats, o Options, yield func(*Run) error) *importing {
	return &importing{
		formats: f, options: o, yield: yield, account: &Account{},
		names: newNames(o), seen: map[[16]byte]struct{}{}, sinks: map[*Format]*Sink{}, catalogs: catalogs{}, buffer: newBuffer(),
	}
}

func (in *importing) file(fsys fs.FS, name string) error {
	in.account.Files++
	log, err := openLog(fsys, name, in.buffer)
	if err != nil {
		in.account.mistake(err)
		return nil
	}
	defer log.close()
	format, problem := in.format(log)
	if problem != nil {
		in.account.mistake(problem)
		return nil
	}
	in.account.use(format)
	sink := in.sink(format)
	reader := format.Open(sink)
	log.each(sink, reader)
	if one, ok := reader.(Ender); ok {
		one.End()
	}
	if !format.Interleaved {
		sink.finish()
	}
	return in.err
}

func (in *importing) sink(f *Format) *Sink {
	if sink := in.sinks[f]; sink != nil {
		return sink
	}
	in.sinks[f] = &Sink{in: in, format: f, open: map[string]*Session{}}
	in.used = append(in.used, f)
	return in.sinks[f]
}

func (in *importing) finish() error {
	for _, f := range in.used {
		in.sinks[f].finish()
	}
	return in.err
}

func (in *importing) format(log *log) (*Format, *source.Error) {
	if problem := log.archive(); problem != nil {
		return nil, problem
	}
	if name := in.options.Format; name != "" && name != Auto {
		return in.formats.Find(name), nil
	}
	return log.recognize(in.formats)
}
