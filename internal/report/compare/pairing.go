package compare

import (
	"slices"

	"github.com/org/mcp-gates/internal/report"
)

// caseKey is the key by which cases are paired.
type caseKey struct {
	suite, name string
	model       report.Optional
}

func keyOfCase(c *report.Case) caseKey { return caseKey{c.Suite, c.Name, c.Model} }

// Pairing returns the base's case for each of the head's cases; nil for a new case. It is the case with the same suite, name and
// model, otherwise a removed case with the same evidence. A case of the head that a suite of the base judged keeps the base's case
// as its partner. vanished are the cases of the base without a partner, in their order. Pairing reads only the names and the
// evidence of cases. It calls evidence with the index of each case of the head whose name the base lacks, to set the recordings of
// that case.
func Pairing(base, head []report.Case, evidence func(i int)) (partner, vanished []*report.Case) {
	byKey, byID := map[caseKey][]*report.Case{}, map[string]*report.Case{}
	for i := range base {
		one := &base[i]
		byKey[keyOfCase(one)] = append(byKey[keyOfCase(one)], one)
		byID[one.ID] = one
	}
	taken := map[*report.Case]bool{}
	partner = make([]*report.Case, len(head))
	for i := range head {
		if same := byKey[keyOfCase(&head[i])]; len(same) > 0 {
			partner[i] = same[0]
			byKey[keyOfCase(&head[i])] = same[1:]
		}
		if judged := head[i].Base; judged != nil {
			partner[i] = byID[judged.Case]
		}
		taken[partner[i]] = true
	}
	for i := range base {
		if one := &base[i]; !taken[one] {
			vanished = append(vanished, one)
		}
	}
	pairRenamed(head, partner, vanished, evidence) // some of vanished get a partner
	for _, was := range partner {
		taken[was] = true
	}
	return partner, slices.DeleteFunc(vanished, func(one *report.Case) bool { return taken[one] })
}

// pairRenamed pairs new cases with vanished cases that had the same evidence.
func pairRenamed(head []report.Case, partner, vanished []*report.Case, evidence func(i int)) {
	byEvidence := map[string][]*report.Case{}
	for _, one := range vanished {
		for _, mark := range evidenceOf(one) {
			byEvidence[mark] = append(byEvidence[mark], one)
		}
	}
	taken := map[*report.Case]bool{}
	for i := range head {
		if partner[i] == nil {
			evidence(i)
			partner[i] = findRenamed(&head[i], byEvidence, taken)
		}
	}
}

// findRenamed returns a vanished case with the evidence of the case one, and marks it as taken; nil if there is none. It prefers
// the first case with the same model, otherwise it takes the first case.
func findRenamed(one *report.Case, byEvidence map[string][]*report.Case, taken map[*report.Case]bool) *report.Case {
	var found *report.Case
	for _, mark := range evidenceOf(one) {
		for _, was := range byEvidence[mark] {
			isBetter := found == nil || found.Model != one.Model && was.Model == one.Model
			if !taken[was] && isBetter {
				found = was
			}
		}
	}
	if found != nil {
		taken[found] = true
	}
	return found
}

// evidenceOf returns texts that identify a case by its evidence: the paths and hashes of its recordings, or its kind with its name
// and its catalog. A case keeps its name if the suite moves, and its catalog if the case is renamed.
func evidenceOf(c *report.Case) (marks []string) {
	if c.Kind != "" {
		marks = append(marks, c.Kind+" named "+c.Name)
	}
	if c.Catalog != "" {
		marks = append(marks, c.Kind+" of "+c.Catalog)
	}
	for _, path := range c.Cassettes {
		marks = append(marks, "path "+path)
	}
	for _, r := range c.Recordings {
		if r.SHA256 != "" {
			marks = append(marks, "bytes "+string(r.SHA256))
		}
	}
	return marks
}
