package layout_test

import (
	"regexp"
	"strings"
	"testing"
)

// releaseVersion is the version in internal/cli/version.go.
func releaseVersion(t *testing.T) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^const version = "(\d+\.\d+\.\d+)"$`).FindStringSubmatch(read(t, "internal/cli/version.go"))
	if m == nil {
		t.Fatal("internal/cli/version.go names no version as the workflow release.yml reads it")
	}
	return m[1]
}

// TestVersionIsTold holds the pages with a section for each version, and the examples with a tag, to the version of the program.
func TestVersionIsTold(t *testing.T) {
	t.Parallel()
	version := releaseVersion(t)
	for _, page := range []string{"CHANGELOG.md", "docs/upgrading.md"} {
		newest := regexp.MustCompile(`(?m)^## (\S+?),? `).FindStringSubmatch(read(t, page))
		if newest == nil || newest[1] != version {
			t.Errorf("the first section of %s is of %q, want one of %s", page, newest, version)
		}
	}
	if !strings.Contains(read(t, "examples/ci/pre-commit-config.yaml"), "\n    rev: v"+version+"\n") {
		t.Errorf("examples/ci/pre-commit-config.yaml does not name v%s", version)
	}
	major, _, _ := strings.Cut(version, ".")
	for _, page := range append(workflows(t), "README.md", "docs/action.md", "docs/own-judge.md", ".pre-commit-hooks.yaml", "internal/cli/init_workflow.yml") {
		for _, m := range regexp.MustCompile(`(?:uses: org/mcp-gates(?:/full)?@|ghcr\.io/org/mcp-gates(?:-full)?:)v(\d+)`).FindAllStringSubmatch(read(t, page), -1) {
			if m[1] != major {
				t.Errorf("%s names v%s, and v%s is what %s will be", page, m[1], major, version)
			}
		}
	}
}
