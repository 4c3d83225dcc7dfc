package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/source"
)

// logEndings are the endings of the files in a folder that are taken for logs.
var logEndings = []string{".json", ".jsonl", ".ndjson"}

// stdinName is the argument for standard input among the logs.
const stdinName = "-"

// logFiles are the logs that a command line names.
type logFiles struct {
	names []string        // names with slashes, as files are opened and shown; each file once, in the order of the command line
	found map[string]bool // files from folders and globs, which need not be logs
	stdin io.Reader
	known map[int64][]knownFile // by size in bytes, so that a file is compared with few others
}

// knownFile is a file among the logs, with the first name that it was found under.
type knownFile struct {
	info fs.FileInfo
	name string
}

// findLogs returns the logs that arguments name: files, globs, folders and - for standard input.
func findLogs(args []string, stdin io.Reader) (*logFiles, source.Errors) {
	files := &logFiles{found: map[string]bool{}, stdin: stdin, known: map[int64][]knownFile{}}
	var errs source.Errors
	for _, arg := range args {
		names, isNamed, err := logsOf(arg)
		if err != nil {
			errs.Addf(source.Pos{File: filepath.ToSlash(arg)}, "%s", err)
		}
		for _, name := range names {
			files.add(filepath.ToSlash(name), isNamed)
		}
	}
	return files, errs
}

// add adds a file, unless it was added before under this or another name. A file that the user named must be a log, even if a
// folder or glob contains it too.
func (f *logFiles) add(name string, isNamed bool) {
	first := f.firstName(name)
	if _, isKnown := f.found[first]; !isKnown {
		f.names = append(f.names, first)
		f.found[first] = true
	}
	if isNamed {
		f.found[first] = false
	}
}

// firstName returns the first name of a file that was added before, otherwise name.
func (f *logFiles) firstName(name string) string {
	info, err := os.Stat(filepath.FromSlash(name))
	if name == stdinName || err != nil {
		return name // opening the file reports the error
	}
	for _, one := range f.known[info.Size()] {
		if os.SameFile(one.info, info) {
			return one.name
		}
	}
	f.known[info.Size()] = append(f.known[info.Size()], knownFile{info, name})
	return name
}

// logsOf returns the files of one argument. isNamed is true if the argument is a file, and false for a folder or a glob.
func logsOf(arg string) (names []string, isNamed bool, err error) {
	if arg == stdinName {
		return []string{arg}, true, nil
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		names, err = logsIn(arg)
		return names, false, err
	case err == nil || !strings.ContainsAny(arg, `*?[{`):
		return []string{arg}, true, nil // opening the file reports the error
	case !doublestar.ValidatePathPattern(arg):
		return nil, false, errors.New("is not a valid glob")
	}
	names, err = doublestar.FilepathGlob(arg, doublestar.WithFilesOnly(), doublestar.WithNoFollow())
	if err == nil && len(names) == 0 {
		err = errors.New("matches no file")
	}
	slices.Sort(names)
	return names, false, reason(err)
}

// logsIn returns the logs in a folder and in those below it, sorted. Links to folders are not followed.
func logsIn(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && slices.Contains(logEndings, strings.ToLower(filepath.Ext(name))) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, reason(err)
	}
	if len(names) == 0 {
		return nil, errors.New("is a folder without a file that ends in " + strings.Join(logEndings, ", "))
	}
	slices.Sort(names)
	return names, nil
}

// Open opens a log, without waiting for a writer.
func (f *logFiles) Open(name string) (fs.File, error) {
	if name == stdinName {
		return stdinFile{f.stdin}, nil
	}
	file, err := os.OpenFile(filepath.FromSlash(name), openFlags, 0)
	if err != nil {
		return nil, err // not file: a nil *os.File in an interface is not nil
	}
	return file, nil
}

type stdinFile struct{ io.Reader }

// Stat describes a file of unknown length.
func (stdinFile) Stat() (fs.FileInfo, error) { return stdinInfo{}, nil }

// Close does nothing: whoever opened standard input closes it.
func (stdinFile) Close() error { return nil }

type stdinInfo struct{}

func (stdinInfo) Name() string       { return stdinName }
func (stdinInfo) Size() int64        { return 0 }
func (stdinInfo) Mode() fs.FileMode  { return 0o444 }
func (stdinInfo) ModTime() time.Time { return time.Time{} }
func (stdinInfo) IsDir() bool        { return false }
func (stdinInfo) Sys() any           { return nil }
