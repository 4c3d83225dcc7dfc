package suite

import "testing"

// TestNoFaults pins that a case without faults has no list of them. A partial recording has a hash of the list in JSON, so that
// another spelling, such as an empty list, would refuse the parts that older builds have written.
func TestNoFaults(t *testing.T) {
	if faults := new(Case).PlainFaults(); faults != nil {
		t.Errorf("got %#v, want nil", faults)
	}
}
