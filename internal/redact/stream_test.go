package redact_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/thorough"
)

func scan(t *testing.T, in io.Reader) []redact.Place {
	t.Helper()
	var list []redact.Place
	if err := (*redact.Rules)(nil).Scan(in, func(p redact.Place) { list = append(list, p) }); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestScan(t *testing.T) {
	text := "{\n  \"ü\": \"é\", \"token\": \"x\",\n\n  \"b\": \"" + github + " AND " + jwt + "\"}"
	want := []redact.Place{{"key", 2, 23}, {"github", 4, 9}, {"jwt", 4, 9 + len(github) + 5}}
	for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
		if got := scan(t, in); !slices.Equal(got, want) {
			t.Errorf("scanning %q: got %v, want %v", text, got, want)
		}
	}
	if got := scan(t, strings.NewReader("")); got != nil {
		t.Errorf("in nothing: got %v", got)
	}
}

// TestScanAcrossWindows pins that each secret of a long line is reported once, wherever a window ends.
func TestScanAcrossWindows(t *testing.T) {
	const unit = `{"password": "hunter2", "né": "` + github + `"}, `
	units := thorough.Size(40_000, 60_000) // some windows
	for shift := range 3 {
		pad := strings.Repeat("-", shift*7)
		text := pad + strings.Repeat(unit, units) // one line
		got := scan(t, strings.NewReader(text))
		if len(got) != 2*units {
			t.Fatalf("shifted by %d: got %d secrets, want %d", len(pad), len(got), 2*units)
		}
		perUnit := len([]rune(unit))
		for i, p := range got {
			want := redact.Place{Rule: "key", Line: 1, Col: 1 + len(pad) + i/2*perUnit + strings.Index(unit, "hunter2")}
			if i%2 == 1 {
				want.Rule, want.Col = "github", want.Col+strings.Index(unit, github)-1-strings.Index(unit, "hunter2") // é is two bytes
			}
			if p != want {
				t.Fatalf("shifted by %d, secret %d: got %+v, want %+v", len(pad), i, p, want)
			}
		}
	}
}

// TestScanLongSecret pins that a secret longer than a window is reported.
func TestScanLongSecret(t *testing.T) {
	text := strings.Repeat("\n", 1<<20-100) + `{"secret": "` + strings.Repeat("a", 3<<20) + `", "token": "b"}`
	got := scan(t, strings.NewReader(text))
	want := []redact.Place{{"key", 1<<20 - 99, 13}, {"key", 1<<20 - 99, 3<<20 + 26}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestScanErrors(t *testing.T) {
	none := func(p redact.Place) { t.Errorf("found %+v", p) }
	if err := (*redact.Rules)(nil).Scan(iotest.ErrReader(errors.New("broken")), none); err == nil || err.Error() != "broken" {
		t.Errorf("got error %v, want that of the reader", err)
	}
	for _, text := range []string{"\xff\xfe{\x00", "\xfe\xff\x00{"} {
		if err := (*redact.Rules)(nil).Scan(strings.NewReader(text), none); err == nil || !strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("scanning %q: got error %v, want one about UTF-16", text, err)
		}
	}
}
