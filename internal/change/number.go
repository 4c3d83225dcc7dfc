package change

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/schema"
)

// maxDigits bounds the digits of a number that is compared by value: 1e999999999 has more digits than fit into memory. A longer
// number counts as unknown.
const maxDigits = 400

// numberOf returns the value of a number; nil for anything else, and for numbers with too many digits.
func numberOf(n *schema.Node) *big.Rat {
	if !n.Is('0') || len(n.Text) > maxDigits {
		return nil
	}
	if at := strings.IndexAny(n.Text, "eE"); at >= 0 {
		exponent, err := strconv.Atoi(strings.TrimPrefix(n.Text[at+1:], "+"))
		if err != nil || exponent > maxDigits || exponent < -maxDigits {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		return nil
	}
	return r
}

// edge is the least or the greatest number that a schema accepts.
type edge struct {
	at   *big.Rat
	open bool // the number itself is refused
}

// within reports whether an edge allows no more numbers than the other edge. sign is 1 for lower edges, -1 for upper edges.
func (e edge) within(other edge, sign int) bool {
	c := e.at.Cmp(other.at) * sign
	return c > 0 || c == 0 && (e.open || !other.open)
}

// whole returns the least or the greatest accepted integer as an edge. sign is 1 for a lower edge, -1 for an upper edge.
func (e edge) whole(sign int) edge {
	floor := new(big.Int).Div(e.at.Num(), e.at.Denom()) // rounds down, because a denominator is positive
	whole := new(big.Rat).SetInt(floor)
	isInt := e.at.IsInt()
	switch {
	case isInt && e.open:
		return edge{at: whole.Add(whole, big.NewRat(int64(sign), 1))}
	case !isInt && sign > 0:
		return edge{at: whole.Add(whole, big.NewRat(1, 1))}
	}
	return edge{at: whole}
}
