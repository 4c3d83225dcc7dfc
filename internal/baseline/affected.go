package baseline

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/locate"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// FindAffected returns the suites that a change touches: those with a file that differs from the base, and those that
// the change removes. A suite with mistakes counts as touched, because its files are not known. An error means that the
// suites of the head or the base cannot be found, or that the base does not have enough information.
func FindAffected(head fs.FS, base *Tree, o check.Options) (*check.Affected, error) {
	now, err := suite.Find(head, o.Suites)
	if err != nil {
		return nil, err
	}
	before, err := suitesOf(base, o.Suites)
	if err != nil {
		return nil, err
	}
	both := slices.Compact(slices.Sorted(slices.Values(slices.Concat(now, before))))
	found := &check.Affected{Suites: map[string]bool{}, Of: len(both)}
	change := &change{head: head, base: base, differs: map[string]bool{}}
	for _, name := range both {
		_, isThere := slices.BinarySearch(now, name)
		_, wasThere := slices.BinarySearch(before, name)
		if !isThere || !wasThere || change.touchesSuite(name, &o) {
			found.Suites[name] = true
		}
	}
	if err := base.Err(); err != nil {
		return nil, err
	}
	if lacks := base.Lacking(); lacks != "" {
		return nil, errors.New(lacks)
	}
	return found, nil
}

// change compares the files of two commits.
type change struct {
	head    fs.FS
	base    *Tree
	differs map[string]bool // results by file name or glob
}

// touchesSuite reports whether the change touches a file that the suite opens or names.
func (c *change) touchesSuite(name string, o *check.Options) bool {
	files := &opened{FS: c.head, names: map[string]bool{}}
	loader := suite.NewLoader(files)
	loader.Version, loader.SkipForeign = o.Version, o.SkipForeign
	loader.Had = func(*suite.Suite, *suite.Case, string) bool { return true } // a tool that has disappeared is not a mistake of the suite
	s, errs := loader.Load(name)
	if s == nil || len(errs) > 0 {
		return true
	}
	for name := range files.names {
		if c.touchesOpened(name) {
			return true
		}
	}
	touchesCase := func(one *suite.Case) bool { return c.touchesCase(s, one) }
	return slices.ContainsFunc(s.Servers, c.touchesServer) || slices.ContainsFunc(s.Cases, touchesCase)
}

// opened is a file system that notes the names of opened files.
type opened struct {
	fs.FS
	names map[string]bool
}

// Open notes a name and opens the file.
func (o *opened) Open(name string) (fs.File, error) {
	o.names[name] = true
	return o.FS.Open(name)
}

// touchesServer reports whether the change touches the sources of a server, or a file that its command names.
func (c *change) touchesServer(s *suite.Server) bool {
	return len(s.Source) > 0 && c.touchesSource(s.Source) || c.touchesFileNamed(s.Start.Command, cmp.Or(s.Start.Cwd, path.Dir(s.Pos.File)))
}

func (c *change) touchesCase(s *suite.Suite, one *suite.Case) bool {
	if one.Live.Script != "" && c.touchesFile(one.Live.Script) || slices.ContainsFunc(one.Cassettes, c.touchesPattern) {
		return true
	}
	a := one.Agent
	return a != nil && c.touchesFileNamed(slices.Concat(a.Command, a.Version), cmp.Or(a.Cwd, path.Dir(s.File)))
}

// touchesFileNamed reports whether the change touches a file that a word of a command names.
func (c *change) touchesFileNamed(words []string, folder string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		name := path.Join(folder, strings.ReplaceAll(word, `\`, "/"))
		if path.IsAbs(word) || !fs.ValidPath(name) {
			return false
		}
		return c.isFile(name) && c.touchesFile(name)
	})
}

// isFile reports whether the head or the base has the file.
func (c *change) isFile(name string) bool {
	_, err := c.base.Blob(name)
	if err == nil {
		return true
	}
	info, err := fs.Stat(c.head, name)
	return err == nil && info.Mode().IsRegular()
}

// touchesPattern reports whether the change touches the file of this name, or one that matches the name as a glob in the head
// or in the base.
func (c *change) touchesPattern(pattern string) bool {
	if c.touchesFile(pattern) { // names may contain brackets
		return true
	}
	if !strings.ContainsAny(pattern, `*?[{\`) {
		return false
	}
	return c.touchesListed("glob "+pattern, func(fsys fs.FS) ([]string, error) {
		return doublestar.Glob(fsys, pattern, doublestar.WithFilesOnly())
	})
}

func (c *change) touchesSource(globs []string) bool {
	return c.touchesListed(fmt.Sprintf("source %q", globs), func(fsys fs.FS) ([]string, error) { return locate.Files(fsys, globs) })
}

// touchesListed reports whether the change touches a file that list finds in the head or in the base.
func (c *change) touchesListed(key string, list func(fs.FS) ([]string, error)) bool {
	return c.differsOnce(key, func() bool {
		now, err := list(c.head)
		before, baseErr := list(c.base)
		return err != nil || baseErr != nil || slices.ContainsFunc(slices.Concat(now, before), c.touchesFile)
	})
}

// differsOnce calls differs only once for each key, because many cases share the same files.
func (c *change) differsOnce(key string, differs func() bool) bool {
	answer, known := c.differs[key]
	if !known {
		answer = differs()
		c.differs[key] = answer
	}
	return answer
}

// touchesOpened reports whether a file differs between head and base, or whether a folder lacks an entry of the base. What a folder
// has in addition was opened, too, if it matters.
func (c *change) touchesOpened(name string) bool {
	if info, err := fs.Stat(c.head, name); err != nil || !info.IsDir() {
		return c.touchesFile(name)
	}
	return c.differsOnce("folder "+name, func() bool {
		now, err := entriesOf(c.head, name)
		before, baseErr := entriesOf(c.base, name)
		isGone := func(entry string) bool { return !now[entry] }
		return err != nil || baseErr != nil || slices.ContainsFunc(slices.Collect(maps.Keys(before)), isGone)
	})
}

// entriesOf returns the entries in a folder, each as its type and its name.
func entriesOf(fsys fs.FS, folder string) (map[string]bool, error) {
	entries, err := fs.ReadDir(fsys, folder)
	found := map[string]bool{}
	for _, one := range entries {
		found[one.Type().String()+one.Name()] = true
	}
	return found, err
}

// touchesFile reports whether a file differs between head and base. If neither side has the file, it does not differ.
func (c *change) touchesFile(name string) bool {
	return c.differsOnce("file "+name, func() bool {
		was, err := c.base.Blob(name)
		wasThere := !errors.Is(err, fs.ErrNotExist)
		is, headErr := hashOf(c.head, name, was)
		isThere := !errors.Is(headErr, fs.ErrNotExist)
		switch {
		case !wasThere && !isThere:
			return false
		case err != nil || headErr != nil:
			return true
		}
		return was == "" || was != is
	})
}

// hashOf returns git's hash of a file's content, of the same kind (SHA-1 or SHA-256) as like.
func hashOf(fsys fs.FS, name, like string) (string, error) {
	if tree, ok := fsys.(*Tree); ok {
		return tree.Blob(name)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > source.MaxCassette {
		return "", fmt.Errorf("%q is not a file that is read", name)
	}
	return source.BlobSum(file, info.Size(), like)
}
