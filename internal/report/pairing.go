package report

import "slices"

// caseKey is what cases are paired by.
type caseKey struct {
	suite, name string
	model       Optional
}

func (c *Case) key() caseKey { return caseKey{c.Suite, c.Name, c.Model} }

// Pairing returns the base's case for each of the head's, nil for a new one: the one of its suite, name and model, and
// otherwise one that is gone and whose evidence it has. Only the name of a case and its evidence are read.
func Pairing(base, head []Case) []*Case {
	partner, _ := pairing(base, head)
	return partner
}

// pairing returns besides the cases of the base that have no partner, in their order. A case that was judged by its
// partner's suite keeps that partner.
func pairing(base, head []Case) (partner, vanished []*Case) {
	byKey, byID := map[caseKey][]*Case{}, map[string]*Case{}
	for i := range base {
		one := &base[i]
		byKey[one.key()] = append(byKey[one.key()], one)
		byID[one.ID] = one
	}
	taken := map[*Case]bool{}
	partner = make([]*Case, len(head))
	for i := range head {
		if same := byKey[head[i].key()]; len(same) > 0 {
			partner[i] = same[0]
			byKey[head[i].key()] = same[1:]
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
	renames(head, partner, vanished)
	for _, was := range partner {
		taken[was] = true
	}
	return partner, slices.DeleteFunc(vanished, func(one *Case) bool { return taken[one] })
}

// renames pairs new cases with vanished ones that had their evidence.
func renames(head []Case, partner, vanished []*Case) {
	byEvidence := map[string][]*Case{}
	for _, one := range vanished {
		for _, mark := range one.evidence() {
			byEvidence[mark] = append(byEvidence[mark], one)
		}
	}
	taken := map[*Case]bool{}
	for i := range head {
		if partner[i] == nil {
			partner[i] = renamed(&head[i], byEvidence, taken)
		}
	}
}

// renamed returns the vanished case that one was, and takes it; nil when there is none. Among several the first of the
// same model is taken, else the first.
func renamed(one *Case, byEvidence map[string][]*Case, taken map[*Case]bool) *Case {
	var found *Case
	for _, mark := range one.evidence() {
		for _, was := range byEvidence[mark] {
			if !taken[was] && (found == nil || found.Model != one.Model && was.Model == one.Model) {
				found = was
			}
		}
	}
	if found != nil {
		taken[found] = true
	}
	return found
}

// evidence returns what sets the evidence of a case apart: the paths of its recordings and their bytes,
// or what judges which catalog. A moved suite keeps its name, a renamed case its catalog.
func (c *Case) evidence() []string {
	var marks []string
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
