package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/trace"
)

// places are the patterns that suites are searched by if none is named, in addition to the suites that [findNested] finds.
var places = []string{"mcp-gates.yml", "mcp-gates.yaml", "mcptest.yml", "mcptest.yaml", "suites/**/*.{yml,yaml}"}

// Places lists the places that are searched for suites if none is named.
func Places() string { return strings.Join(places, ", ") + ", **/mcp-gates.{yml,yaml}" }

// IsUsual reports whether a suite is always found if none is named.
func IsUsual(name string) bool {
	return slices.ContainsFunc(places, func(place string) bool { return doublestar.MatchUnvalidated(place, name) })
}

// ErrNone is the error of a folder without a suite.
var ErrNone = errors.New("no suite found")

// Find returns the suite files that args name, sorted and without repeats. An argument is a file, a glob or a folder, which is
// searched in the usual places. Without arguments, the usual places are searched from the top of fsys. An argument that matches
// nothing or lies outside of fsys is an error.
func Find(fsys fs.FS, args []string) ([]string, error) {
	if len(args) == 0 {
		found, err := searchUsual(fsys, ".")
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("%w, expected one of %s; \"mcp-gates init\" writes one", ErrNone, Places())
		}
		return found, err
	}
	var all []string
	var problems argumentErrors
	for _, arg := range args {
		found, err := findArgument(fsys, arg)
		all = append(all, found...)
		if err != nil {
			problems = append(problems, err)
		}
	}
	slices.Sort(all)
	if len(problems) > 0 {
		return slices.Compact(all), problems
	}
	return slices.Compact(all), nil
}

// argumentErrors joins the errors of several arguments on one line.
type argumentErrors []error

func (all argumentErrors) Error() string {
	return strings.Join(lists.Map(all, error.Error), "; ")
}

// Unwrap returns the errors of the arguments.
func (all argumentErrors) Unwrap() []error { return all }

// findArgument returns the suites that an argument names: a file, a folder or a glob.
func findArgument(fsys fs.FS, arg string) ([]string, error) {
	name := path.Clean(arg)
	if arg == "" || path.IsAbs(name) || !fs.ValidPath(name) {
		return nil, fmt.Errorf("suite %q: expected a file, glob or folder in the workspace", arg)
	}
	info, err := fs.Stat(fsys, name)
	switch {
	case err == nil && info.IsDir():
		found, err := searchUsual(fsys, name)
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("%w in folder %q, expected one of %s; to check other files, name them with a glob such as %q; \"mcp-gates init\" writes a suite",
				ErrNone, arg, Places(), path.Join(name, "**/*.yml"))
		}
		return found, err
	case err == nil:
		return []string{name}, nil
	case !isGlob(name):
		return nil, notFound(arg, err)
	}
	if err := checkGlob(name); err != nil {
		return nil, fmt.Errorf("suite %q: %w", arg, err)
	}
	found, err := glob(fsys, name)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no suite matches %q", arg)
	}
	return found, err
}

func notFound(arg string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no suite matches %q", arg)
	}
	return fmt.Errorf("suite %q: %w", arg, reason(err))
}

// reason returns the cause of a failed file operation, without the name of the operation.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func searchUsual(fsys fs.FS, dir string) ([]string, error) {
	var all []string
	for _, pattern := range places {
		found, err := glob(fsys, path.Join(quote(dir), pattern))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	below, err := findNested(fsys, dir, bounds{maxFolders, maxFiles, maxDepth})
	if err != nil {
		return nil, err
	}
	all = append(all, below...)
	slices.Sort(all)
	return slices.Compact(all), nil
}

// quote returns a glob that matches only the given path.
func quote(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`).Replace(name)
}

// glob returns the files that pattern matches, except partial recordings. It does not follow links to folders, because they can
// form circles. A broken link is kept, so that opening it reports the error.
func glob(fsys fs.FS, pattern string) ([]string, error) {
	options := []doublestar.GlobOption{doublestar.WithFilesOnly(), doublestar.WithNoFollow(), doublestar.WithFailOnIOErrors()}
	found, err := doublestar.Glob(fsys, pattern, options...)
	if err != nil {
		return nil, fmt.Errorf("look for suites that match %q: %w", pattern, reason(err))
	}
	return slices.DeleteFunc(found, func(name string) bool {
		info, err := fs.Stat(fsys, name)
		return trace.IsPartial(name) || err == nil && info.IsDir()
	}), nil
}

// These constants bound the parts of a glob that multiply the work of matching.
const (
	maxBraces       = 3
	maxAlternatives = 20
	maxDoubleStars  = 3
)

// checkGlob returns an error if pattern is not a valid glob or takes too long to match.
func checkGlob(pattern string) error {
	isCostly := strings.Count(pattern, "{") > maxBraces || strings.Count(pattern, ",") > maxAlternatives || strings.Count(pattern, "**") > maxDoubleStars
	switch {
	case !doublestar.ValidatePattern(pattern):
		return errors.New("is not a valid glob")
	case isCostly:
		return fmt.Errorf("is a glob of more than %d braces, %d commas or %d of **", maxBraces, maxAlternatives, maxDoubleStars)
	}
	return nil
}

func isGlob(name string) bool { return strings.ContainsAny(name, `*?[{\`) }

// maxPath bounds the length of a path, in bytes.
const maxPath = 4096

// inWorkspace returns the workspace-relative form of a path that is relative to dir, or an error if the path cannot be used.
func inWorkspace(dir, name string) (string, error) {
	joined := path.Join(dir, name)
	switch {
	case name == "":
		return "", errors.New("must not be empty")
	case len(name) > maxPath:
		return "", fmt.Errorf("is a path of %d bytes, at most %d are read", len(name), maxPath)
	case isAbsolute(name):
		return "", fmt.Errorf("must be a path relative to this file, found %q", name)
	case !fs.ValidPath(joined):
		return "", fmt.Errorf("must be a path inside the workspace, found %q", name)
	}
	return joined, nil
}

func isAbsolute(name string) bool {
	hasDrive := len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\')
	return hasDrive || strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`)
}
