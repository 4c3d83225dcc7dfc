package suggest

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/locate"
)

// maxSourceFiles bounds the files that are listed for a server whose code has no folder of its own.
const maxSourceFiles = 10

// setSource sets the files whose code has the descriptions of a server, if at least half of the descriptions are in the
// workspace.
func (s *starting) setSource(server *starterServer) {
	if len(server.Tools) == 0 || !server.isLive() {
		return
	}
	found, err := locate.Find(s.fsys, server.Tools, nil)
	if errors.Is(err, locate.ErrTooMuch) {
		s.leaveOut("no source for server %q: the workspace holds too much to search; name its code with source: [src/**]", server.Name)
		return
	}
	if err != nil || 2*len(found) < len(server.Tools) {
		return
	}
	var files []string
	for _, pos := range found {
		files = append(files, pos.File)
	}
	slices.Sort(files)
	server.source = sourceOf(slices.Compact(files))
}

// sourceOf returns the value of the key source: for sorted files. If there are several files, the value is the folder that contains
// all of them; if there is no such folder, it is the files. It is nil if there are too many files, or if a suite would read a name
// as a glob.
func sourceOf(files []string) []string {
	if slices.ContainsFunc(files, func(name string) bool { return strings.ContainsAny(name, `*?[]{}\`) || !isName(name) }) {
		return nil
	}
	if len(files) == 1 {
		return files
	}
	dir := path.Dir(files[0])
	for _, file := range files[1:] {
		for dir != "." && !strings.HasPrefix(file, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	switch {
	case dir != ".":
		return []string{dir}
	case len(files) > maxSourceFiles:
		return nil
	}
	return files
}
