package locate

import (
	"cmp"

	"github.com/org/mcp-gates/internal/source"
)

// maxApart is the distance, in lines, up to which two matches count as one place.
const maxApart = 3

// found is the best place of a tool so far.
type found struct {
	kind        kind // 0 when there is none
	rank        rank // rank of the file
	pos         source.Pos
	isAmbiguous bool // another place is as good
}

// add considers another place. The places of a file must be added in order.
func (f *found) add(other found) {
	order := cmp.Or(cmp.Compare(other.rank, f.rank), cmp.Compare(other.kind, f.kind))
	switch {
	case f.kind == 0 || order > 0:
		*f = other
	case order == 0 && !f.samePlace(other.pos):
		f.isAmbiguous = true
	}
}

func (f *found) samePlace(pos source.Pos) bool {
	return pos.File == f.pos.File && pos.Line-f.pos.Line <= maxApart
}
