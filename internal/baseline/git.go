package baseline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// Reasons for which a folder has no history that could be read. They come wrapped in an [*Unreadable].
var (
	ErrNoGit        = errors.New("there is no git program")
	ErrNoRepository = errors.New("the workspace is not in a git repository")
)

// Place says where a repository is looked for.
type Place struct {
	// Dir is the workspace: the folder that the paths of suites and cassettes are relative to. It may be a folder below
	// the top of the repository.
	Dir string
	// Trusted is a folder whose repositories are read whoever owns them, "" for none. Git refuses by default to read
	// those of another user, which is what the workspace of a container belongs to. Dir has to lie in it.
	Trusted string
	// Getenv reads the environment: PATH, where git is looked for, and HOME, where its configuration is.
	Getenv func(string) string
}

// Repository is the git repository of a workspace. It is only ever read: nothing is fetched, no hook runs.
type Repository struct {
	git    string // path of the program
	dir    string // the workspace
	prefix string // of the workspace in the repository, with a final slash; "" at its top
	env    []string
}

// Open finds the repository of a workspace. Every error is an [*Unreadable], around [ErrNoGit] or [ErrNoRepository]
// where that is why.
func Open(ctx context.Context, place Place) (*Repository, error) {
	dir, err := realPath(place.Dir)
	if err != nil {
		return nil, unreadable(err, "git history")
	}
	git, err := findGit(place.Getenv("PATH"))
	if err != nil {
		if _, none := topWithin(dir, cmp.Or(place.Trusted, filepath.VolumeName(dir)+string(filepath.Separator))); none != nil {
			err = none // without a repository git would not help
		}
		return nil, unreadable(err, "git history")
	}
	r := &Repository{git: git, dir: dir}
	safe := ""
	if place.Trusted != "" {
		if safe, err = topWithin(dir, place.Trusted); err != nil {
			return nil, unreadable(err, "git history")
		}
	}
	r.env = environment(place.Getenv, safe)
	out, err := r.output(ctx, "rev-parse", "--show-prefix")
	switch {
	case err != nil && strings.Contains(err.Error(), "not a git repository"):
		return nil, unreadable(ErrNoRepository, "git history")
	case err != nil:
		return nil, unreadable(err, "git history")
	}
	r.prefix = strings.TrimSuffix(out, "\n")
	return r, nil
}

// findGit returns the git program in the folders of PATH. Relative folders are passed over: what they mean is up to the
// workspace, which others write.
func findGit(path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return found, nil
		}
	}
	return "", ErrNoGit
}

// realPath returns the absolute path of a folder without links, which is what git compares.
func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// topWithin returns the nearest folder from dir upwards that holds a repository, no further up than trusted.
func topWithin(dir, trusted string) (string, error) {
	limit, err := realPath(trusted)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(limit, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("folder %q does not lie in %q", dir, trusted)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == limit {
			return "", ErrNoRepository
		}
	}
}

// environment returns all that git gets to see. safe is the folder of a repository that may belong to anybody, "" for
// none.
func environment(getenv func(string) string, safe string) []string {
	env := []string{
		"PATH=" + getenv("PATH"),
		"HOME=" + getenv("HOME"),
		"LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", // for a git that does not know GIT_NO_LAZY_FETCH
		"GIT_LITERAL_PATHSPECS=1",
	}
	settings := [][2]string{
		{"core.hooksPath", os.DevNull},
		{"core.fsmonitor", "false"},
		// A folder of the workspace can be made to look like a repository with settings of its own.
		{"safe.bareRepository", "explicit"},
	}
	if safe != "" {
		settings = append(settings, [2]string{"safe.directory", filepath.ToSlash(safe)})
		env = append(env, "GIT_CEILING_DIRECTORIES="+filepath.Dir(safe)) // look no further up
	}
	env = append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings)))
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[1]))
	}
	return env
}

// command returns git with args, ready to start. Git never takes an argument after "--end-of-options" for an option.
func (r *Repository) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.git, append([]string{"--no-pager"}, args...)...)
	cmd.Dir, cmd.Env = r.dir, r.env
	cmd.WaitDelay = time.Second // a child of git can keep its pipes open
	return cmd
}

// maxOutput bounds what is kept of the output of a command that answers in a few lines, in bytes.
const maxOutput = 1 << 20

// output runs git and returns what it prints. An error holds the first line that git complained with.
func (r *Repository) output(ctx context.Context, args ...string) (string, error) {
	var out, complaint limited
	cmd := r.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", gitError(ctx, args[0], complaint.String(), err)
	}
	return out.String(), nil
}

// gitError says which command of git failed and why. Git's words can hold names that others chose.
func gitError(ctx context.Context, command, complaint string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	line := firstComplaint(strings.ToValidUTF8(complaint, "?"))
	if line == "" {
		return fmt.Errorf("git %s: %w", command, err)
	}
	const longest = 300
	shown := []rune(strings.Map(visible, line))
	return fmt.Errorf("git %s: %s", command, string(shown[:min(len(shown), longest)]))
}

// firstComplaint returns the line that says what went wrong; warnings may stand before it.
func firstComplaint(complaint string) string {
	for line := range strings.Lines(complaint) {
		for _, kind := range []string{"fatal: ", "error: "} {
			if rest, found := strings.CutPrefix(line, kind); found {
				return strings.TrimSpace(rest)
			}
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
	return first
}

func visible(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// limited keeps the first maxOutput bytes that are written to it and swallows the rest.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	l.Buffer.Write(p[:min(len(p), max(maxOutput-l.Len(), 0))])
	return len(p), nil
}

// ReadFrom keeps io.Copy from going round the limit.
func (l *limited) ReadFrom(in io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{l}, in)
}
