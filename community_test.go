package layout_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// form is a form of issues, as far as it asks for something.
type form struct {
	Name, Description string
	Body              []struct {
		Type, ID    string
		Attributes  struct{ Label string }
		Validations struct{ Required bool }
	}
}

// TestIssueForms holds each form to what whoever mends it needs: the build, the input, what was printed, and what is right.
func TestIssueForms(t *testing.T) {
	t.Parallel()
	for file, needs := range map[string][]string{
		"wrong-verdict.yml": {"version", "case", "evidence", "output", "expected"},
		"wrong-finding.yml": {"version", "rule", "tool", "expected"},
		"unread-log.yml":    {"version", "program", "log", "output", "expected"},
	} {
		var f form
		if err := yaml.Unmarshal([]byte(read(t, ".github/ISSUE_TEMPLATE/"+file)), &f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if f.Name == "" || f.Description == "" {
			t.Errorf("%s has no name or no description", file)
		}
		var required []string
		for _, field := range f.Body {
			if field.Type != "markdown" && (field.Attributes.Label == "" || field.ID == "") {
				t.Errorf("%s: a field has no label or no id", file)
			}
			if field.Validations.Required {
				required = append(required, field.ID)
			}
		}
		if !slices.Equal(required, needs) {
			t.Errorf("%s requires %q, want %q", file, required, needs)
		}
	}
}

// strictForm is a form of issues with each key that GitHub's syntax for issue forms has in what these forms use.
type strictForm struct {
	Name, Description, Title string
	Labels, Assignees        []string
	Body                     []struct {
		Type, ID    string
		Attributes  struct{ Label, Description, Placeholder, Value, Render string }
		Validations struct{ Required bool }
	}
}

// TestIssueFormsAreGitHubs holds the forms to GitHub's syntax: it hides a form with a mistake, and says so nowhere else.
func TestIssueFormsAreGitHubs(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(os.DirFS("."), ".github/ISSUE_TEMPLATE/*-*.yml")
	if err != nil || len(files) != 3 {
		t.Fatalf("got the forms %q, want 3 (%v)", files, err)
	}
	names := map[string]bool{}
	for _, file := range files {
		var f strictForm
		decoder := yaml.NewDecoder(strings.NewReader(read(t, file)))
		decoder.KnownFields(true)
		if err := decoder.Decode(&f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if names[f.Name] || len(f.Name) < 3 || f.Description == "" {
			t.Errorf("%s: want a name of its own and a description", file)
		}
		names[f.Name] = true
		ids, labels := map[string]bool{}, map[string]bool{}
		for _, field := range f.Body {
			a := field.Attributes
			switch field.Type {
			case "markdown":
				if a.Value == "" || field.ID != "" || a.Label != "" || field.Validations.Required {
					t.Errorf("%s: markdown has a value and nothing else, got %+v", file, field)
				}
				continue
			case "input":
				if a.Render != "" {
					t.Errorf("%s: the input %s has no render", file, field.ID)
				}
			case "textarea":
			default:
				t.Errorf("%s: %q is not a type of field that issue forms have", file, field.Type)
			}
			if ids[field.ID] || labels[a.Label] || !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(field.ID) || a.Label == "" {
				t.Errorf("%s: want an id and a label of its own, got %+v", file, field)
			}
			ids[field.ID], labels[a.Label] = true, true
		}
	}
	var config struct {
		Blank bool                                `yaml:"blank_issues_enabled"`
		Links []struct{ Name, URL, About string } `yaml:"contact_links"`
	}
	decoder := yaml.NewDecoder(strings.NewReader(read(t, ".github/ISSUE_TEMPLATE/config.yml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&config); err != nil {
		t.Fatal(err)
	}
	for _, link := range config.Links {
		if link.Name == "" || link.About == "" || !strings.HasPrefix(link.URL, "https://") {
			t.Errorf("config.yml: a link lacks something: %+v", link)
		}
	}
}

// TestDependabot holds the folders that Dependabot updates to those that have a file of its.
func TestDependabot(t *testing.T) {
	t.Parallel()
	var config struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directory   string
			Directories []string
			Cooldown    map[string]int
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, ".github/dependabot.yml")), &config); err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, u := range config.Updates {
		if u.Directory != "" {
			u.Directories = append(u.Directories, u.Directory)
		}
		if u.Cooldown["default-days"] < 7 {
			t.Errorf("%s is updated to what is not a week old", u.Ecosystem)
		}
		got[u.Ecosystem] = u.Directories
	}
	for ecosystem, file := range map[string]string{"gomod": "go.mod", "docker": "Dockerfile", "npm": "package-lock.json"} {
		if want := foldersWith(t, file); !slices.Equal(got[ecosystem], want) {
			t.Errorf("%s is updated in %q, want %q, which have a %s", ecosystem, got[ecosystem], want, file)
		}
	}
	if want := []string{"/", "/examples/workflows"}; !slices.Equal(got["github-actions"], want) {
		t.Errorf("actions are updated in %q, want %q", got["github-actions"], want)
	}
}

// foldersWith returns the folders of the repository with a file of that name, from its root and sorted; examples and data of tests
// belong to others.
func foldersWith(t *testing.T, file string) []string {
	t.Helper()
	var list []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata", "bin", "dist"}, entry.Name()) {
			return fs.SkipDir
		}
		if path.Base(name) == file {
			list = append(list, path.Join("/", path.Dir(name)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// TestCodeOwners pins that everything has an owner, and that what CODEOWNERS names is there.
func TestCodeOwners(t *testing.T) {
	t.Parallel()
	everything := false
	for line := range strings.Lines(read(t, ".github/CODEOWNERS")) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if len(words) < 2 || !regexp.MustCompile(`^@org/[a-z-]+$`).MatchString(words[1]) {
			t.Errorf("%q names no team", line)
		}
		if words[0] == "*" {
			everything = true
			continue
		}
		if _, err := os.Stat("." + words[0]); err != nil {
			t.Errorf("%q owns what is not there: %v", line, err)
		}
	}
	if !everything {
		t.Error("no row owns everything")
	}
}
