package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
	"github.com/tidwall/jsonc"
)

// MaxFile is the greatest size of a file in bytes: ~/.claude.json also holds the prompts from all folders.
const MaxFile = 64 << 20

// maxServers bounds the servers in a file, because a person confirms each server. A file with more servers is a mistake.
const maxServers = 200

// lists are the keys under which files keep their servers: "servers" in VS Code, "mcp_servers" in Codex.
var lists = []string{"mcpServers", "servers", "mcp_servers"}

// Read reads the servers of a file, sorted by name. A file whose name ends in .toml is TOML. Any other is JSON, which can have
// comments, and commas before closing brackets. Keys that are not about servers are skipped. folder is the absolute path of the
// workspace, for a file that lists servers by folder (~/.claude.json); "" for none. All mistakes are returned together.
func Read(file string, data []byte, folder string) ([]Server, source.Errors) {
	r := &reader{file: file, folder: folder, isJSON: !strings.HasSuffix(file, ".toml")}
	if !r.isJSON {
		var err *source.Error
		if data, err = tomlAsJSON(file, data); err != nil {
			return nil, source.Errors{err}
		}
	} else {
		data = jsonc.ToJSON(data) // blanks replace what is removed, so that positions stay correct
	}
	r.in = jsonread.NewBytes(data)
	r.readDocument()
	r.in.End()
	errs := r.in.Errors(file, bytes.NewReader(data))
	if !r.isJSON {
		for _, err := range errs {
			err.Pos = source.Pos{File: file} // positions in the JSON made from TOML are meaningless
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	sort.SliceStable(r.servers, func(i, j int) bool {
		a, b := &r.servers[i], &r.servers[j]
		return strings.Compare(a.Name, b.Name) < 0
	})
	return r.servers, nil
}

func tomlAsJSON(file string, data []byte) ([]byte, *source.Error) {
	var document map[string]any
	_, err := toml.Decode(string(data), &document)
	var at toml.ParseError
	switch {
	case errors.As(err, &at):
		return nil, &source.Error{Pos: source.Pos{File: file, Line: at.Position.Line, Col: max(1, at.Position.Col)}, Msg: fmt.Sprintf("is not TOML: %s", at.Message)}
	case err != nil:
		return nil, &source.Error{Pos: source.Pos{File: file}, Msg: fmt.Sprintf("is not TOML: %s", err)}
	}
	text, err := json.Marshal(document)
	if err != nil {
		return nil, &source.Error{Pos: source.Pos{File: file}, Msg: "holds a number that JSON has not"}
	}
	return text, nil
}

type reader struct {
	in      *jsonread.Reader
	file    string
	folder  string
	isJSON  bool
	servers []Server
	isTaken map[string]bool // names of the servers of the current list
}

func (r *reader) readDocument() {
	r.in.Object("the file", func(key string) {
		switch {
		case slices.Contains(lists, key):
			r.readList(key)
		case key == "projects" && r.folder != "":
			r.in.Object(`"projects"`, func(folder string) {
				if folder == r.folder {
					r.readProject()
				}
			})
		}
	})
}

// readProject reads the servers that ~/.claude.json has for a folder.
func (r *reader) readProject() {
	r.in.Object("the project", func(key string) {
		if slices.Contains(lists, key) {
			r.readList(key)
		}
	})
}

func (r *reader) readList(key string) {
	r.isTaken = map[string]bool{}
	r.in.Object(fmt.Sprintf("%q", key), func(name string) {
		if len(r.servers) == maxServers {
			r.in.Mistakef(r.in.KeyOffset(), "has more than %d servers", maxServers)
		}
		if len(r.servers) >= maxServers {
			r.in.Skip()
			return
		}
		if r.isTaken[name] {
			r.in.Mistakef(r.in.KeyOffset(), "server %q is given twice", source.Shorten(name, 100))
		}
		r.isTaken[name] = true
		s := Server{Name: name, Pos: source.Pos{File: r.file}}
		if r.isJSON {
			s.Pos.Line = r.in.Line()
		}
		r.readServer(&s)
		r.servers = append(r.servers, s)
	})
}
