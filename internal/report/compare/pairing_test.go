package compare

import (
	"testing"

	"github.com/org/mcp-gates/internal/report"
)

// TestPairOfBaseJudgement pins that a case which a case of the base has judged is paired with that one, and not with that of its name.
func TestPairOfBaseJudgement(t *testing.T) {
	base := []report.Case{{ID: "s::a", Suite: "s", Name: "a"}, {ID: "s::b", Suite: "s", Name: "b"}}
	head := []report.Case{{ID: "s::a", Suite: "s", Name: "a", Base: &report.BaseJudgement{Case: "s::b"}}}
	partner, vanished := Pairing(base, head, func(int) {})
	if partner[0] != &base[1] || len(vanished) != 1 || vanished[0] != &base[0] {
		t.Errorf("paired with %+v, and %d vanished; want s::b, and s::a vanished", partner[0], len(vanished))
	}
}
