package baseline

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/suite"
)

func TestLeaveOut(t *testing.T) {
	const settings, others, module = "100644 .gitmodules x", "100644 .gitmodules y", "160000 suites/shared"
	tests := []struct {
		name       string
		base, head []string
		want       string // that is lacking; "" for nothing
	}{
		{"both have it", []string{settings, module}, []string{settings, module}, ""},
		{"both have it without settings", []string{module}, []string{module}, ""},
		{"the head has other settings", []string{settings, module}, []string{others, module}, `submodule "suites/shared": `},
		{"the head has settings", []string{module}, []string{settings, module}, `submodule "suites/shared": `},
		{"the head has files there", []string{settings, module}, []string{settings, "100644 suites/shared/a.yml x"}, `submodule "suites/shared": `},
		{"the head has nothing there", []string{settings, module}, []string{settings}, `submodule "suites/shared": `},
		{"the base has none", []string{settings}, []string{settings, module}, ""},
	}
	for _, test := range tests {
		base := treeOf(test.base...)
		base.LeaveOut(treeOf(test.head...))
		if _, err := fs.Stat(base, "suites/shared"); base.Lacking() != "" {
			t.Errorf("%s: %q is lacking before it was read (error %v)", test.name, base.Lacking(), err)
		}
		if _, err := fs.Glob(base, "suites/*/*.yml"); err != nil {
			t.Error(err)
		}
		if got := base.Lacking(); !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: lacking is %q, want %q", test.name, got, test.want)
		}
	}
}

// TestSubmodulesAreNotSearched pins that the search for suites leaves submodules alone, as in a workspace: otherwise a base whose
// submodules are not there could never be read in full.
func TestSubmodulesAreNotSearched(t *testing.T) {
	content := func(Entry) (io.ReadCloser, error) { return nil, errors.New("no content is needed") }
	tree := NewTree([]Entry{
		{Path: "services/a/mcp-gates.yml", Mode: "100644"}, {Path: "services/shared", Mode: submodule, SHA: "1"},
		{Path: "services/linked", Mode: "120000"}, {Path: "services/b/mcp-gates.yml", Mode: "120000"},
	}, content)
	got, err := suite.Find(tree, nil)
	if want := []string{"services/a/mcp-gates.yml"}; !slices.Equal(got, want) || err != nil || tree.Lacking() != "" || tree.Err() != nil {
		t.Errorf("got %q, %v, lacking %q, %v, want %q", got, err, tree.Lacking(), tree.Err(), want)
	}
	if got, err := suite.Find(tree, []string{"services/shared"}); err == nil || tree.Lacking() == "" {
		t.Errorf("the submodule itself: got %q, %v, lacking %q, want it to be read", got, err, tree.Lacking())
	}
}
