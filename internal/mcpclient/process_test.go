package mcpclient

import (
	"os"
	"path/filepath"
	"testing"
)

// A program is found in the absolute directories of PATH alone: what lies where a check is run is none that a suite names.
func TestFindProgramNotWhereItRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	dir := t.TempDir()
	const name = "server.exe" // which can be started everywhere
	if err := os.Mkdir("bin", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"bin", dir} {
		if err := os.WriteFile(filepath.Join(at, name), nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ path, want string }{
		{dir, filepath.Join(dir, name)},
		{"bin", ""},
		{"", ""},
		{"bin" + string(filepath.ListSeparator) + dir, filepath.Join(dir, name)},
	} {
		got, err := findProgram(name, []string{"PATH=" + test.path})
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("PATH=%s: found %q, error %v, want %q", test.path, got, err, test.want)
		}
	}
}
