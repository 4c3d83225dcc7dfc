package live

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/agents"
)

// folder is the temporary folder of one run of a program: its HOME, the folder in which it is started, and the files
// beside them.
type folder struct{ root string }

// newFolder creates the folder of a run, which only the user may read.
func newFolder() (folder, error) {
	root, err := os.MkdirTemp("", "mcp-gates-run-")
	if err != nil {
		return folder{}, fmt.Errorf("make the folder of the run: %w", err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil { // agents compare paths
		return folder{}, fmt.Errorf("make the folder of the run: %w", err)
	}
	f := folder{root}
	if err := errors.Join(os.Mkdir(f.home(), 0o700), os.Mkdir(f.work(), 0o700)); err != nil {
		return f, fmt.Errorf("make the folder of the run: %w", err)
	}
	return f, nil
}

func (f folder) home() string   { return filepath.Join(f.root, "home") }
func (f folder) work() string   { return filepath.Join(f.root, "work") }
func (f folder) config() string { return filepath.Join(f.root, "mcp.json") }
func (f folder) output() string { return filepath.Join(f.root, outputFile) }

// outputFile is the name of the file with the program's standard output.
const outputFile = "stdout"

// remove removes the folder, including parts that the program has made read-only.
func (f folder) remove() {
	if os.RemoveAll(f.root) == nil {
		return
	}
	_ = filepath.WalkDir(f.root, func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			return os.Chmod(name, 0o700)
		}
		return err
	})
	_ = os.RemoveAll(f.root) // what cannot be removed stays in the system's temporary folder
}

func (f folder) write(files []agents.File, servers []agents.Server) error {
	for _, file := range files {
		name := filepath.Join(f.home(), filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return fmt.Errorf("write the agent's settings: %w", err)
		}
		if err := os.WriteFile(name, []byte(file.Text), 0o600); err != nil {
			return fmt.Errorf("write the agent's settings: %w", err)
		}
	}
	if err := os.WriteFile(f.config(), mcpServers(servers), 0o600); err != nil {
		return fmt.Errorf("write the servers for the agent: %w", err)
	}
	return nil
}

func mcpServers(servers []agents.Server) []byte {
	type entry struct {
		Type string `json:"type"` // some clients drop an entry without it
		URL  string `json:"url"`
	}
	list := map[string]entry{}
	for _, s := range servers {
		list[s.Name] = entry{"http", s.URL}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": list}, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		panic(err) // the value holds only texts, so encoding cannot fail
	}
	return append(text, '\n')
}
