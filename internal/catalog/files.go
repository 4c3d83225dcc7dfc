package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
)

// Files are the files of a catalog: a single file, or all files of a folder or a glob, which together make one catalog.
type Files struct {
	FS   fs.FS
	Name string // path of a file or a folder, or a glob

	// Shown returns the path of a file in FS as positions and messages show it; nil leaves paths unchanged.
	Shown func(name string) string
}

// MaxFiles bounds the number of files of one catalog. A folder or a glob with more files is a mistake.
const MaxFiles = 10_000

// toolExtensions are the endings of the files in a folder that hold tools: JSON, and test snapshots with one tool each.
var toolExtensions = []string{".json", ".snap"}

// errTooManyFiles ends a walk that finds more than MaxFiles files.
var errTooManyFiles = errors.New("too many files")

// List returns the sorted paths of the files; none if the name does not exist. several is true if the name is a folder or a
// glob; its files are one catalog.
func (f Files) List() (names []string, several bool, err error) {
	switch info, statErr := fs.Stat(f.FS, f.Name); {
	case statErr == nil && info.IsDir():
		names, err = f.listFolder()
	case statErr == nil || !IsGlob(f.Name): // the name of a file may contain brackets
		return []string{f.Name}, false, nil
	default:
		names, err = f.listGlob()
	}
	switch {
	case errors.Is(err, errTooManyFiles):
		return nil, true, &source.Error{Pos: source.Pos{File: f.shownPath(f.Name)}, Msg: fmt.Sprintf("are more than %d files, at most that many are one catalog", MaxFiles)}
	case err != nil:
		return nil, true, &source.Error{Pos: source.Pos{File: f.shownPath(f.Name)}, Msg: "cannot be read: " + err.Error()}
	}
	slices.Sort(names)
	return names, true, nil
}

// IsGlob reports whether a name may be a glob.
func IsGlob(name string) bool { return strings.ContainsAny(name, `*?[{\`) }

func (f Files) listFolder() (names []string, err error) {
	entries, err := fs.ReadDir(f.FS, f.Name)
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || strings.HasPrefix(name, ".") || !slices.Contains(toolExtensions, path.Ext(name)) {
			continue
		}
		if names = append(names, path.Join(f.Name, name)); len(names) > MaxFiles {
			return nil, errTooManyFiles
		}
	}
	return names, err
}

// listGlob lists the files that the glob matches. It does not follow links to folders.
func (f Files) listGlob() (names []string, err error) {
	err = doublestar.GlobWalk(f.FS, f.Name, func(name string, entry fs.DirEntry) error {
		if names = append(names, name); len(names) > MaxFiles {
			return errTooManyFiles
		}
		return nil
	}, doublestar.WithFilesOnly(), doublestar.WithNoFollow(), doublestar.WithFailOnIOErrors())
	return names, err
}

// Stand reports whether the name exists as a file or a folder, or as a glob that matches a file.
func (f Files) Stand() bool {
	if source.Stands(f.FS, f.Name) {
		return true
	}
	if !IsGlob(f.Name) {
		return false
	}
	names, _, err := f.List()
	return err != nil || len(names) > 0
}

// Read reads the catalog. The tools of several files are in the order of the paths. A tool that an earlier file already
// has is a variant, which does not count. The error is source.Errors for mistakes in the files.
func (f Files) Read() (*Catalog, error) {
	data, noFile := source.ReadFile(f.FS, f.Name, source.MaxCatalog)
	if noFile == nil { // the usual case
		cat, errs := Read(f.shownPath(f.Name), data)
		return cat, errs.Err()
	}
	names, several, err := f.List()
	switch {
	case err != nil:
		return nil, err
	case !several:
		return nil, f.withShownPath(noFile)
	case len(names) > 0:
		return f.readAll(names)
	}
	what := "matches no file"
	if !IsGlob(f.Name) {
		what = "is a folder without files that end in " + strings.Join(toolExtensions, " or ")
	}
	return nil, &source.Error{Pos: source.Pos{File: f.shownPath(f.Name)}, Msg: what + ", expected at least one"}
}

// readAll reads the files of a catalog that is a folder or a glob, and joins their tools. The size limit of a file applies to all
// of them together.
func (f Files) readAll(names []string) (*Catalog, error) {
	out := &Catalog{File: f.shownPath(f.Name), Paths: []string{}}
	var errs source.Errors
	first := map[Ref]*Tool{}
	left := int64(source.MaxCatalog)
	for _, name := range names {
		if info, err := fs.Stat(f.FS, name); err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for a writer
			return nil, &source.Error{Pos: source.Pos{File: f.shownPath(name)}, Msg: "is not a regular file"}
		}
		data, err := source.ReadFile(f.FS, name, left)
		if err != nil {
			return nil, f.withShownPath(err)
		}
		left -= int64(len(data))
		out.Paths = append(out.Paths, f.shownPath(name))
		cat, mistakes := Read(f.shownPath(name), data)
		if errs = append(errs, mistakes...); len(mistakes) > 0 {
			continue
		}
		for _, one := range cat.Instructions {
			if _, known := out.InstructionsOf(one.Server); !known {
				out.Instructions = append(out.Instructions, one)
			}
		}
		out.noteManifest(cat.Manifest)
		for _, t := range cat.All() {
			if other := first[t.Ref()]; other != nil && other.Pos.File != t.Pos.File {
				out.Variants = append(out.Variants, t)
				continue
			}
			first[t.Ref()] = cmp.Or(first[t.Ref()], t)
			if t.ForAppsOnly() {
				out.Hidden = append(out.Hidden, t)
			} else {
				out.Tools = append(out.Tools, t)
			}
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// noteManifest notes the manifest among the files of the catalog; m is nil for a file that is not a manifest.
func (c *Catalog) noteManifest(m *Manifest) {
	if c.Manifest == nil || m == nil {
		c.Manifest = cmp.Or(c.Manifest, m)
		return
	}
	both := *c.Manifest
	both.Generated = both.Generated || m.Generated
	c.Manifest = &both
}

func (f Files) shownPath(name string) string {
	if f.Shown == nil {
		return name
	}
	return f.Shown(name)
}

func (f Files) withShownPath(err error) error {
	var at *source.Error
	if !errors.As(err, &at) {
		return err
	}
	return &source.Error{Pos: source.Pos{File: f.shownPath(at.Pos.File), Line: at.Pos.Line, Col: at.Pos.Col}, Msg: at.Msg}
}

// SaysVariants returns the notice that tools have variants which do not count; "" if there are none.
func (c *Catalog) SaysVariants() string {
	const most = 3
	if len(c.Variants) == 0 {
		return ""
	}
	list := lists.Map(c.Variants[:min(len(c.Variants), most)], func(t *Tool) string {
		return fmt.Sprintf("%.100q in %s", t.Name, t.Pos.File)
	})
	if more := len(c.Variants) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	noun := "tools are in two files, of which the first counts"
	if len(c.Variants) == 1 {
		noun = "tool is in two files, of which the first counts"
	}
	return fmt.Sprintf("%d %s: %s left out", len(c.Variants), noun, strings.Join(list, ", "))
}
