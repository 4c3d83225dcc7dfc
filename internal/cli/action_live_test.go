package cli

import "testing"

// TestWithoutRunner pins that what belongs to the runner is hidden in any case: Windows does not tell them apart.
func TestWithoutRunner(t *testing.T) {
	getenv := withoutRunner(func(name string) string { return "value of " + name })
	for _, name := range []string{"INPUT_GITHUB-TOKEN", "input_github-token", "ACTIONS_RUNTIME_TOKEN", "Actions_Id"} {
		if got := getenv(name); got != "" {
			t.Errorf("%s: got %q, want nothing", name, got)
		}
	}
	if got, want := getenv("KEY"), "value of KEY"; got != want {
		t.Errorf("KEY: got %q, want %q", got, want)
	}
}
