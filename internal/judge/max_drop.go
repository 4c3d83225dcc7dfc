package judge

import "github.com/org/mcp-gates/internal/yamlread"

// MaxDrop bounds how far a figure may be below the base's figure of the same case. Comparisons judge it, because a gate does
// not know the base.
type MaxDrop struct {
	Target string `json:"target"` // target of the figure, which is a percentage
	Most   int    `json:"most"`   // the largest accepted drop, in percentage points from 0 to 100
}

// maxDropKey is the key of a [MaxDrop] in a gate's block.
const maxDropKey = "max_drop"

// MaxDropKey documents the key that bounds the drop of a figure.
func MaxDropKey(target string) Key {
	return Key{Name: maxDropKey, Type: TypeWhole, Doc: "The largest accepted drop of `" + target + "` [below the base](runs-needed.md#seeing-a-drop), " +
		"in percentage points from 0 to 100. A larger drop fails the check."}
}

// ReadMaxDrop reads the bound on the drop of a figure; nil if the block has none.
func ReadMaxDrop(block *yamlread.Map, target string) *MaxDrop {
	if !block.Has(maxDropKey) {
		return nil
	}
	const byDefault, atLeast = 0, 0
	most := block.Int(maxDropKey, byDefault, atLeast)
	if most > 100 {
		block.Errorf(block.KeyPos(maxDropKey), "%q must be a whole number of percentage points from 0 to 100, found %d", maxDropKey, most)
		return nil
	}
	return &MaxDrop{Target: target, Most: most}
}
