package baseline

import (
	"errors"
	"strings"
	"testing"
)

func TestTracks(t *testing.T) {
	tree := treeOf("100644 saved.json x", "100644 reports/a.json x", "120000 out build", "120000 link.json made.json", "160000 vendor/other ")
	for name, want := range map[string]bool{
		"saved.json": true, "reports/a.json": true, "reports": true, "link.json": true, "out/made.json": true,
		"vendor/other": true, "vendor/other/base.json": true,
		"made.json": false, "reports/made.json": false, "vendor/made.json": false, "saved.json/x": false, "": false, ".": false, "../saved.json": false,
	} {
		if got := tree.Tracks(name); got != want {
			t.Errorf("Tracks(%q): got %v, want %v", name, got, want)
		}
	}
}

func TestCheckSaved(t *testing.T) {
	long := strings.Repeat("long", 50_000)
	base := treeOf("100644 same.json same", "100644 long.json "+long, "100644 gone.json BROKEN")
	empty := treeOf("100644 other x")
	change := treeOf("100644 same.json same", "100644 long.json "+long, "100644 gone.json BROKEN", "100644 new.json x", "160000 sub ")
	tests := []struct {
		name, saved string
		want        string
	}{
		{"same.json", "same", ""},
		{"same.json", "same ", `saved report "same.json" is tracked and differs from that in HEAD`},
		{"same.json", "sam", "differs"},
		{"same.json", "", "differs"},
		{"long.json", long, ""},
		{"long.json", long + "!", "differs"},
		{"long.json", long[:len(long)-1] + "!", "differs"},
		{"new.json", "x", `saved report "new.json" is tracked and not in HEAD`},
		{"sub/base.json", "x", "is tracked and not in HEAD"},
		{"made.json", "anything", ""},
		{"gone.json", "x", `is tracked, and HEAD cannot be read: "gone.json": the line is down`},
	}
	for _, test := range tests {
		err := CheckSaved(strings.NewReader(test.saved), test.name, []*Tree{empty, change}, func() (*Tree, error) { return base, nil }, "HEAD")
		if got := errorText(err); test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s of %d bytes: got %q, want %q", test.name, len(test.saved), got, test.want)
		}
	}
	none := func() (*Tree, error) { return nil, errors.New("there is none") }
	if err := CheckSaved(strings.NewReader("x"), "made.json", []*Tree{change}, none, "HEAD"); err != nil {
		t.Errorf("nothing tracks it: got %v, want no error", err)
	}
	if err := CheckSaved(strings.NewReader("x"), "new.json", []*Tree{change}, none, "HEAD"); err == nil {
		t.Error("got no error, want that HEAD cannot be read")
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
