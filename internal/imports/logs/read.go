// Package logs has the parts that all formats of logs share: recognising a format, joining calls with their results so that
// each is counted once, splitting the names that clients give to tools, cutting sessions into runs, and counting what could not
// be read.
//
// A [Format] is a value in a file of its own, in the package of its family. Its reader gets one JSON value of a log after
// another (a line of JSON Lines, an element of a list, or a whole document) and adds to a [Session] the messages, calls that a
// model asked for, results, executions and tokens that it finds.
//
// Nothing is guessed: a value that a log does not have is absent.
package logs

import (
	"bufio"
	"io/fs"
	"slices"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// Format describes a format of logs.
type Format struct {
	Name string // the word in format: and after --from

	// Builtins are the tools of the agent itself, such as its shell, as its logs name them.
	Builtins []string

	// SingleUnderscore is true if the client spells a tool of a server as mcp_SERVER_TOOL.
	SingleUnderscore bool

	// Interleaved is true if the records of one session can be anywhere in the input, also in several files or between the records
	// of other sessions. Sessions are then complete only at the end of all files.
	Interleaved bool

	// Wraps reports whether programs put objects of the format under this key of another object, such as "request". It is nil if
	// they do not.
	Wraps func(key string) bool

	// Finish is called when a session is complete, before its runs are made. It may be nil.
	Finish func(s *Session)

	// Open returns the reader of one file.
	Open func(to *Sink) Reader
}

// Formats are the known formats of logs. Names and recognition follow their order.
type Formats []*Format

// Find returns the format with a name; nil if there is none.
func (f Formats) Find(name string) *Format {
	if i := slices.IndexFunc(f, func(one *Format) bool { return one.Name == name }); i >= 0 {
		return f[i]
	}
	return nil
}

// Names lists the names of the formats, in their order.
func (f Formats) Names() []string {
	return lists.Map(f, func(one *Format) string { return one.Name })
}

// Reader reads the values of one file.
type Reader interface {
	// Value reads the next value, which is only valid until Value returns.
	Value(v Value)
}

// Ender is a [Reader] with work to do at the end of the file. After End, the sessions that are still open are complete, unless
// the format is [Format.Interleaved].
type Ender interface{ End() }

// Options configure the reading of logs.
type Options struct {
	Format    string            // the name of a format; "" or Auto recognises it, file by file
	Servers   []string          // the servers that tool names can begin with
	Lone      string            // the server of calls that name no server; "" leaves such calls without a server
	ServerMap map[string]string // server by the prefix of a tool's name
	Split     Split
	Subagents Subagents
}

// Auto is the word for recognising the format.
const Auto = "auto"

// Split selects the unit that becomes a run.
type Split string

// The ways to cut a session into runs.
const (
	SplitSession Split = "session" // the whole session; the default
	SplitTurn    Split = "turn"    // each user message with everything up to the next user message
)

// Subagents selects whether the calls of sub-agents are calls of the run.
type Subagents string

// The values of [Subagents].
const (
	SubagentsInclude  Subagents = "include" // the default
	SubagentsLeaveOut Subagents = "leave-out"
)

// Read reads the files in order and passes each run to yield, which may keep it. An error of yield or of the temporary file ends
// reading and is returned. The account, which is never nil, lists what was read and what could not be read; it has a mistake for
// each file that cannot be read at all or whose format is unknown.
func (f Formats) Read(fsys fs.FS, files []string, o Options, yield func(*Run) error) (*Account, error) {
	in := &importing{
		formats: f, options: o, yield: yield, account: &Account{},
		names: newNames(o), seen: map[[16]byte]struct{}{}, sinks: map[*Format]*Sink{}, catalogs: catalogs{}, buffer: newBuffer(),
	}
	defer in.spill.close()
	for _, file := range files {
		if err := in.readFile(fsys, file); err != nil {
			return in.account, err
		}
	}
	for _, f := range in.used {
		in.sinks[f].finish()
	}
	return in.account, in.err
}

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
	sinks    map[*Format]*Sink // a sink for each format of the files
	used     []*Format         // the keys of sinks, in the order of the first file of each format
	err      error             // error of yield, or of spilling events
}

func (in *importing) readFile(fsys fs.FS, name string) error {
	in.account.Files++
	log, err := openLog(fsys, name, in.buffer)
	if err != nil {
		in.account.mistake(err)
		return nil
	}
	defer log.close()
	format, problem := in.formatOf(log)
	if problem != nil {
		in.account.mistake(problem)
		return nil
	}
	if !slices.Contains(in.account.Formats, format.Name) {
		in.account.Formats = append(in.account.Formats, format.Name)
	}
	sink := in.sink(format)
	reader := format.Open(sink)
	log.readValues(sink, reader)
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

func (in *importing) formatOf(log *log) (*Format, *source.Error) {
	if problem := log.archiveError(); problem != nil {
		return nil, problem
	}
	if name := in.options.Format; name != "" && name != Auto {
		return in.formats.Find(name), nil
	}
	return log.recognize(in.formats)
}
