package baseline

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/check"
	"github.com/org/mcp-gates/internal/locate"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
)

// FindAffected returns the suites that a change touches: those with a file that differs from the base, and those that
// the change removes. A suite with mistakes counts as touched, because its files are not known. An error means that the
// base does not have enough information.
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
		if !isThere || !wasThere || change.touches(name, &o) {
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
	differs map[string]bool // by compared path or globs
}

func (c *change) touches(name string, o *check.Options) bool {
	files := &opened{FS: c.head, names: map[string]bool{}}
	loader := suite.NewLoader(files)
	loader.Version, loader.SkipForeign = o.Version, o.SkipForeign
	loader.Had = func(*suite.Suite, *suite.Case, string) bool { return true } // a tool that has disappeared is not a mistake of the suite
	s, errs := loader.Load(name)
	if s == nil || len(errs) > 0 {
		return true
	}
	for file := range files.names {
		if c.hasFile(file) {
			return true
		}
	}
	return slices.ContainsFunc(s.Catalogs, c.hasCatalog) || slices.ContainsFunc(s.Servers, c.hasServer) || slices.ContainsFunc(s.Cases, func(one *suite.Case) bool { return c.hasCase(s, one) })
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

// hasServer reports whether the change touches the sources of a server, or a file in its command.
func (c *change) hasServer(s *suite.Server) bool {
	return len(s.Source) > 0 && c.hasSource(s.Source) || c.hasWord(s.Start.Command, cmp.Or(s.Start.Cwd, path.Dir(s.Pos.File)))
}

// hasCatalog reports whether the change touches a file in a folder or a glob of tools. The file of a single-file
// catalog is already among the opened files.
func (c *change) hasCatalog(cat *suite.Catalog) bool {
	if cat.Catalog.Paths == nil {
		return false
	}
	return c.differsOnce("catalog "+cat.Path, func() bool {
		names, err := c.listBoth(func(fsys fs.FS) ([]string, error) {
			files := catalog.Files{FS: fsys, Name: cat.Path}
			if !files.Stand() {
				return nil, nil
			}
			names, _, err := files.List()
			return names, err
		})
		return err != nil || slices.ContainsFunc(names, c.hasFile)
	})
}

func (c *change) hasCase(s *suite.Suite, one *suite.Case) bool {
	if one.Live.Script != "" && c.hasFile(one.Live.Script) || slices.ContainsFunc(one.Cassettes, c.hasPattern) {
		return true
	}
	a := one.Agent
	return a != nil && c.hasWord(slices.Concat(a.Command, a.Version), cmp.Or(a.Cwd, path.Dir(s.File)))
}

func (c *change) hasWord(words []string, folder string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		name := path.Join(folder, strings.ReplaceAll(word, `\`, "/"))
		if path.IsAbs(word) || !fs.ValidPath(name) {
			return false
		}
		return c.isFile(name) && c.hasFile(name)
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

// hasPattern reports whether the change touches a file, or a file that a glob matches in the head or in the base.
func (c *change) hasPattern(pattern string) bool {
	if c.hasFile(pattern) { // names may contain brackets
		return true
	}
	if !strings.ContainsAny(pattern, `*?[{\`) {
		return false
	}
	return c.differsOnce("glob "+pattern, func() bool {
		names, err := c.listBoth(func(fsys fs.FS) ([]string, error) { return doublestar.Glob(fsys, pattern, doublestar.WithFilesOnly()) })
		return err != nil || slices.ContainsFunc(names, c.hasFile)
	})
}

func (c *change) hasSource(globs []string) bool {
	return c.differsOnce(fmt.Sprintf("source %q", globs), func() bool {
		names, err := c.listBoth(func(fsys fs.FS) ([]string, error) { return locate.Files(fsys, globs) })
		return err != nil || slices.ContainsFunc(names, c.hasFile)
	})
}

func (c *change) listBoth(list func(fs.FS) ([]string, error)) ([]string, error) {
	now, err := list(c.head)
	before, baseErr := list(c.base)
	return append(now, before...), cmp.Or(err, baseErr)
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

// hasFile reports whether a file differs between head and base. A file on neither side does not differ.
func (c *change) hasFile(name string) bool {
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
