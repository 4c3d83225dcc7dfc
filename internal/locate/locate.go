// Package locate finds the line of the source code that holds a tool's description, so that an annotation can point to
// the code that a reviewer reads: the snapshot of a catalog is a generated file.
//
// # What is searched
//
// [Find] walks the workspace and reads its text files. It leaves out hidden files and folders (version control among
// them), dependencies, build output, generated and minified files, files over 1 MiB, links, and the catalogs that the
// tools come from. Past 50 MiB of text, or 200,000 files and folders, it places nothing and returns [ErrTooMuch]. Globs
// narrow the search. A folder that a glob names is searched even if its name is one of those for build output.
//
// # What counts as a place
//
// Descriptions and files are compared by their letters and digits, because a description is written in many ways: on one
// line, as strings joined by operators, as block text, as a template literal, or as a documentation comment. An escape
// (\n, \", \u2014) counts as the character that it stands for. Words end where the words of the description end; quotes
// may also split a word. These matches count, best first:
//
//   - the whole description, and the text ends there;
//   - its first sentence, and a sentence ends there;
//   - its first 16 characters or more, up to a value that the code inserts ("Lists the issues of ${owner}").
//
// A match needs the tool's name, as a quoted text or an identifier, within 40 lines. The spelling is snake_case,
// camelCase, PascalCase or kebab-case, with or without a server's prefix (github_get_issue), and with or without a word
// that says what the identifier is for (GetIssueTool, GET_ISSUE_DESCRIPTION). A text that is another tool's description
// by a better match is not a match of this tool.
//
// Tests, documentation and data (JSON catalogs, golden files) are searched only if globs name them, and count only if
// no code matches: otherwise a tool with another description in its code would get a place in a list of tools. Examples
// count if no other code matches. Only matches of the best kind count. Matches within three lines of the first one are
// one place. A tool with exactly one place gets that place; any other tool gets none.
//
// # Two sources
//
// [Compare] finds the descriptions that a change removed from the source. It compares whole texts instead of letters,
// because a sentence added to a description makes another text: strings of each language, strings joined by operators,
// comments, and files of one text. The name of the tool need not be near. A description in a text that cannot be read
// counts as unchanged.
package locate

import (
	"errors"
	"io/fs"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/source"
)

// ErrTooMuch means that the workspace is too large to search, so that no tool has a place: it has more than 50 MiB of
// text, more than 200,000 files and folders, or text that looks like descriptions almost everywhere. Globs that name
// the server's sources help.
var ErrTooMuch = errors.New("too much source to search")

// maxWork bounds the comparison of texts with descriptions, in bytes. A text of one repeated word, with thousands of
// descriptions that begin with it, would otherwise take hours. Real servers take less than 1 MiB.
const maxWork = 64 << 20

// Find returns for each tool the place of its description in the files of fsys, if there is exactly one. Globs, if any,
// name the files to search (doublestar, relative to the workspace).
//
// Errors are [ErrTooMuch], a glob that is not valid, or a workspace that cannot be read. Folders and files that cannot be
// read are left out.
func Find(fsys fs.FS, tools []*catalog.Tool, globs []string) (map[*catalog.Tool]source.Pos, error) {
	scope, err := newScope(globs)
	if err != nil {
		return nil, err
	}
	search := newSearch(tools)
	if len(search.patterns) == 0 {
		return map[*catalog.Tool]source.Pos{}, nil
	}
	walk := &walk{fsys: fsys, scope: scope, skip: search.catalogs, visit: search.searchFile}
	if err := walk.run(); err != nil {
		return nil, err
	}
	return search.places(), nil
}

// Files returns the names of the files that [Find] searches with these globs. The errors are those of Find.
func Files(fsys fs.FS, globs []string) (names []string, err error) {
	scope, err := newScope(globs)
	if err != nil {
		return nil, err
	}
	walk := &walk{fsys: fsys, scope: scope}
	err = walk.eachName(func(name string) error {
		names = append(names, name)
		return nil
	})
	return names, err
}
