package cli

import (
	_ "embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/clients"
	"github.com/org/mcp-gates/internal/suggest"
)

// snapshotJob is the job of examples/workflows/snapshot.yml; a test compares the two.
//
//go:embed init_snapshot_job.yml
var snapshotJob string

// Lines of the job that depend on the workspace.
const (
	installLine = "      # Install here what your servers need in the workspace, such as: npm ci\n"
	workdir     = "--workdir /w "
	checkLine   = "            snapshot --check\n"
)

// imagePrograms are the programs of the full image that start servers; see the Dockerfile.
var imagePrograms = []string{"node", "npx", "npm", "python", "python3", "uv", "uvx", "sh", "bash", "mcp-gates"}

// plainName is a name that means itself in YAML, in a shell and in an expression of a workflow.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// jobFor returns the job that compares the servers with their snapshots; "" if its image can start none of them. rel is the
// workspace's path in its repository. It prints why a server is left out.
func (in *initializing) jobFor(served []suggest.Served, rel string) string {
	var names []string
	for i := range served {
		s := &served[i]
		if len(s.Command) == 0 || s.Copied {
			continue // nothing to start
		}
		if why := in.unfitReason(s); why != "" {
			in.print("no snapshot job for server %q: %s", s.Name, why)
			continue
		}
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return ""
	}
	for _, folder := range strings.Split(rel, "/") {
		if rel != "." && !plainName.MatchString(folder) {
			in.print("no snapshot job: the name of the folder %q cannot stand in a workflow", rel)
			return ""
		}
	}
	return in.fillJob(names, len(names) == len(served), rel)
}

// fillJob returns the job for the servers with these names. isAll means that the workspace has no other servers. rel is the
// workspace's path in its repository.
func (in *initializing) fillJob(names []string, isAll bool, rel string) string {
	head, command, _ := strings.Cut(snapshotJob, installLine)
	install := installLine
	if in.hasFile("package.json") {
		manager := "npm install"
		if in.hasFile("package-lock.json") || in.hasFile("npm-shrinkwrap.json") {
			manager = "npm ci"
		}
		install = "      - run: " + manager + " && npm run build --if-present\n"
		if rel != "." {
			install += "        working-directory: " + rel + "\n"
		}
	}
	if rel != "." {
		command = strings.Replace(command, workdir, "--workdir "+path.Join("/w", rel)+" ", 1)
	}
	if isAll {
		return head + install + command
	}
	begin, run, _ := strings.Cut(command, "        run: |\n")
	text := head + install + begin + "        run: |\n"
	for _, name := range names {
		text += strings.Replace(run, checkLine, strings.TrimSuffix(checkLine, "\n")+" --server "+name+"\n", 1)
	}
	return text
}

func (in *initializing) hasFile(name string) bool {
	_, err := fs.Stat(in.files, name)
	return err == nil
}

// unfitReason returns the reason why the job cannot start a server; "" if it can.
func (in *initializing) unfitReason(s *suggest.Served) string {
	program := s.Command[0].Expand(func(clients.Part) string { return "" })
	isPython := strings.HasPrefix(path.Base(program), "python")
	switch variables := s.Variables(); {
	case !plainName.MatchString(s.Name):
		return "its name cannot stand in a workflow"
	case len(variables) > 0:
		return "it reads " + strings.Join(variables, ", ") + " from the environment, and the job gets no secrets"
	case path.IsAbs(program):
		return "its program " + program + " is outside of the repository"
	case strings.Contains(program, "/") && !in.hasFile(path.Join(s.Cwd, program)):
		return "its program " + program + " is not in the workspace"
	case !strings.Contains(program, "/") && !slices.Contains(imagePrograms, program):
		return "the image of the job has no program " + program
	case isPython && (in.hasFile("requirements.txt") || in.hasFile("pyproject.toml")):
		return "the image of the job lacks its Python packages; start it with uv"
	}
	return ""
}
