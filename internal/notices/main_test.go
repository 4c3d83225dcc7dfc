package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPlatforms holds the platforms to those that are released.
func TestPlatforms(t *testing.T) {
	config := readFile(t, "../../.goreleaser.yaml")
	list := func(key string) []string {
		m := regexp.MustCompile(`(?m)^    ` + key + `: \[(.*)\]$`).FindStringSubmatch(config)
		if m == nil {
			t.Fatalf(".goreleaser.yaml has no %s", key)
		}
		return strings.Split(m[1], ", ")
	}
	var want []string
	for _, system := range list("goos") {
		for _, machine := range list("goarch") {
			want = append(want, system+"/"+machine)
		}
	}
	slices.Sort(want)
	if !slices.Equal(platforms, want) {
		t.Errorf("platforms are %q, want those of .goreleaser.yaml, %q", platforms, want)
	}
}

// kinds are the licences by words that only their texts have.
var kinds = []struct{ name, words string }{
	{"MPL-2.0", "Mozilla Public License"},
	{"Apache-2.0", "Apache License"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"BSD-3-Clause", "Redistribution and use in source and binary forms"},
}

// TestNotices holds the text to what "go list -deps" says of each released platform, and docs/dependencies.md to both: a row for
// each module, with a licence that the module has.
func TestNotices(t *testing.T) {
	t.Chdir("../..")
	list, err := components()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := writeNotices(&text, list); err != nil {
		t.Fatal(err)
	}
	linked := linkedModules(t)
	named := regexp.MustCompile(`(?m)^={78}\n(.*)\n(https://.*)\n`).FindAllStringSubmatch(text.String(), -1)
	var got []string
	for _, m := range named {
		if path, version, ok := strings.Cut(m[1], " "); ok && strings.HasPrefix(version, "v") && !strings.HasPrefix(path, vocabularyModule) {
			got = append(got, m[1])
		}
	}
	if !slices.Equal(got, linked) {
		t.Errorf("the notices name\n%q\nwant\n%q", got, linked)
	}
	if len(named) != len(linked)+3 {
		t.Errorf("the notices name %d, want Go, %d modules, the vocabulary and uPlot", len(named), len(linked))
	}
	rows := dependencies(t)
	for _, c := range list {
		path, version, _ := strings.Cut(c.name, " ")
		if !slices.Contains(linked, path+" "+version) {
			continue
		}
		licence := rows[path]
		if licence == "" {
			licence = rows[regexp.MustCompile(`/v\d+$`).ReplaceAllString(path, "")]
		}
		texts, err := licences(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		kinds := kindsOf(texts)
		if licence == "" || !slices.ContainsFunc(kinds, func(kind string) bool { return strings.Contains(licence, kind) }) {
			t.Errorf("docs/dependencies.md has the licence %q for %s, which is linked and has %q", licence, path, kinds)
		}
	}
}

// kindsOf are the kinds of licences, each of the first that its text fits.
func kindsOf(texts []string) []string {
	var list []string
	for _, text := range texts {
		for _, k := range kinds {
			if strings.Contains(text, k.words) {
				list = append(list, k.name)
				break
			}
		}
	}
	return list
}

// linkedModules are the modules of all released platforms with their versions, by path.
func linkedModules(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, platform := range platforms {
		system, machine, _ := strings.Cut(platform, "/")
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}", "./cmd/mcp-gates")
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if words := strings.Fields(line); len(words) == 2 {
				list = append(list, words[0]+" "+words[1])
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// dependencies returns the licence of each module that docs/dependencies.md names as one that is linked.
func dependencies(t *testing.T) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \|.*\| ([^|]+) \|$`).FindAllStringSubmatch(readFile(t, "docs/dependencies.md"), -1) {
		if strings.HasSuffix(m[2], "; tests only") {
			continue
		}
		for _, name := range strings.Split(m[1], ", ") {
			path, _, _ := strings.Cut(name, " ")
			rows[path] = m[3]
		}
	}
	return rows
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}
