package weaken

import "testing"

// TestClassesOfHostileNames pins that classes are paired by their members, and not by texts that join them: a name can hold U+0000.
func TestClassesOfHostileNames(t *testing.T) {
	p := classPairs{
		before: []class{{key: "a", members: []string{"x", "y"}}},
		after:  []class{{key: "b", members: []string{"x\x00y"}}},
	}
	if p.pairClasses(); len(p.to) != 0 {
		t.Errorf("classes of other members and names are paired: %v", p.to)
	}
	p.after[0].members = []string{"x", "y"}
	if p.pairClasses(); len(p.to) != 1 {
		t.Errorf("classes of the same members are not paired")
	}
}
