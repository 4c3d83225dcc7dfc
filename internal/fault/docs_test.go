package fault

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDocumentedKinds holds the table of kinds in docs/live.md to [Kinds], in its order.
func TestDocumentedKinds(t *testing.T) {
	text, err := os.ReadFile("../../docs/live.md")
	if err != nil {
		t.Fatal(err)
	}
	want := "| kind | `times` | `delay` | effect on a call |\n|---|---|---|---|\n"
	for _, k := range Kinds {
		times := map[Times]string{Optional: "1 ", Required: "required "}[k.Times]
		delay := ""
		if k.Waits {
			delay = fmt.Sprintf("%ds ", DefaultDelay/1000)
		}
		want += fmt.Sprintf("| `%s` | %s| %s| %s |\n", k.Name, times, delay, k.Doc)
	}
	if !strings.Contains(string(text), want) {
		t.Errorf("docs/live.md lacks this table:\n%s", want)
	}
}
