// Command notices writes the licences and notices of everything that is linked into the program: Go itself, each module
// that the released platforms link, and embedded data of others. Archives, images and npm packages contain its output.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// platforms are the released platforms, as in .goreleaser.yaml.
var platforms = []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}

// vocabularyModule is the module that was used to make the vocabulary in internal/tokens; its code is not linked.
const vocabularyModule = "github.com/pkoukk/tiktoken-go-loader"

// component is a linked or embedded part, with the folder of its licence.
type component struct{ name, source, dir string }

func main() {
	out := flag.String("o", "", "the file to write; standard output without it")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	list, err := components()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := writeNotices(&text, list); err != nil {
		return err
	}
	if out == "" {
		_, err = os.Stdout.Write(text.Bytes())
		return err
	}
	return os.WriteFile(out, text.Bytes(), 0o644)
}

// components returns Go, the modules by path, and the embedded data.
func components() ([]component, error) {
	root, err := goCommand(nil, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	goroot, version, _ := strings.Cut(strings.TrimSpace(root), "\n")
	list := []component{{"Go, its standard library and runtime, " + version, "https://go.dev/dl/" + version + ".src.tar.gz", goroot}}
	linked, err := modules()
	if err != nil {
		return nil, err
	}
	top, err := goCommand(nil, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	vocabulary, err := downloadedModule(vocabularyModule)
	if err != nil {
		return nil, err
	}
	vocabulary.name += " (the vocabulary cl100k_base of OpenAI's tiktoken, MIT, Copyright (c) 2022 OpenAI, Shantanu Jain)"
	uplot := component{"uPlot, in reports as HTML", "https://github.com/leeoniya/uPlot", filepath.Join(strings.TrimSpace(top), "internal/report/html/uplot")}
	return append(append(list, linked...), vocabulary, uplot), nil
}

// modules returns the modules that any released platform links, by path.
func modules() ([]component, error) {
	var list []component
	for _, platform := range platforms {
		system, machine, _ := strings.Cut(platform, "/")
		const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}"
		text, err := goCommand([]string{"GOOS=" + system, "GOARCH=" + machine, "CGO_ENABLED=0"}, "list", "-deps", "-f", format, "./cmd/mcp-gates")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(text) {
			path, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			version, dir, _ := strings.Cut(rest, " ")
			list = append(list, module(path, version, dir))
		}
	}
	slices.SortFunc(list, func(a, b component) int { return strings.Compare(a.name, b.name) })
	return slices.Compact(list), nil
}

// pseudoVersion matches a version that names a commit.
var pseudoVersion = regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})$`)

// module returns a module with the address of its source.
func module(path, version, dir string) component {
	c := component{path + " " + version, "https://pkg.go.dev/" + path + "@" + version, dir}
	if words := strings.Split(path, "/"); words[0] == "github.com" {
		if match := pseudoVersion.FindStringSubmatch(version); match != nil {
			version = match[1]
		}
		c.source = "https://" + strings.Join(words[:3], "/") + "/tree/" + version
	}
	return c
}

// downloadedModule returns a module, and downloads it if necessary.
func downloadedModule(path string) (component, error) {
	text, err := goCommand(nil, "mod", "download", "-json", path)
	if err != nil {
		return component{}, err
	}
	var m struct{ Path, Version, Dir string }
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return component{}, err
	}
	return module(m.Path, m.Version, m.Dir), nil
}

func goCommand(env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, failed.Stderr)
	}
	return string(out), err
}

const introduction = `mcp-gates is licensed under the Apache License 2.0; see the file LICENSE.

It is linked from the following, none of it changed. Where a licence asks for the source (Mozilla Public License 2.0), it is at the
address under the name.
`

func writeNotices(w io.Writer, list []component) error {
	fmt.Fprint(w, introduction)
	for _, c := range list {
		texts, err := licences(c.dir)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			return fmt.Errorf("%s: no licence in %s", c.name, c.dir)
		}
		fmt.Fprintf(w, "\n%s\n%s\n%s\n", strings.Repeat("=", 78), c.name, c.source)
		for _, text := range texts {
			fmt.Fprintf(w, "\n%s\n", text)
		}
	}
	return nil
}

// licenceName matches the names of licences and notices, including those for code that a module copied (gonum's
// THIRD_PARTY_LICENSES).
var licenceName = regexp.MustCompile(`(?i)^(.*-)?(licen[cs]es?|notices?|copying|patents|third_party_licen[cs]es)(-.*)?(\.(txt|md))?$`)

// licences returns the texts of a folder's licences and notices, by name.
func licences(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case !licenceName.MatchString(entry.Name()):
		case entry.IsDir():
			below, err := licences(path)
			if err != nil {
				return nil, err
			}
			texts = append(texts, below...)
		default:
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		}
	}
	return texts, nil
}
