package suite

import (
	"path"

	"github.com/org/mcp-gates/internal/yamlread"
)

// maxSources bounds the number of entries of source:, because every file of the workspace is compared with each glob.
const maxSources = 20

// readSource reads source:, the files that describe the tools of a server: a file, a folder, a glob or a list of them, relative
// to the file that contains the key. It returns globs relative to the workspace.
func (r *reader) readSource(m *yamlread.Map) []string {
	v, ok := m.Value("source")
	if !ok {
		return nil
	}
	items := []yamlread.Value{v}
	switch v.Kind() {
	case yamlread.ListKind:
		items = v.List()
		if len(items) == 0 || len(items) > maxSources {
			v.Errorf(`"source" must hold 1 to %d files, folders or globs, found a list of %d`, maxSources, len(items))
			return nil
		}
	case yamlread.TextKind:
	default:
		v.Errorf(`"source" must be a file, a folder, a glob or a list of them, found %s`, v.Describe())
		return nil
	}
	var globs []string
	for _, item := range items {
		globs = append(globs, r.sourceGlobs(item)...)
	}
	return globs
}

func (r *reader) sourceGlobs(v yamlread.Value) []string {
	s, ok := v.Str()
	if !ok {
		return nil
	}
	name, err := inWorkspace(quote(dirOf(v)), s.Value)
	isPlain := !isGlob(s.Value)
	if err == nil && !isPlain {
		err = checkGlob(name)
	}
	switch {
	case err != nil:
		v.Errorf(`"source" %s`, err)
		return nil
	case !isPlain:
		return []string{name}
	case name == ".":
		return []string{"**"}
	}
	return []string{name, path.Join(name, "**")}
}
