package source

import "testing"

// TestManyErrors pins that the mistakes of a hostile file do not fill the memory, and that the list says that it ends.
func TestManyErrors(t *testing.T) {
	var errs Errors
	for i := range 20_000 {
		errs.Addf(Pos{"f.yml", i + 1, 1}, "mistake")
	}
	sorted := errs.Sorted()
	if len(sorted) != maxErrors+1 || sorted[0].Error() != "f.yml: holds more than 10000 mistakes, and the others are not listed" {
		t.Errorf("got %d mistakes, the first %q, want %d and the first to say so", len(sorted), sorted[0], maxErrors+1)
	}
}
