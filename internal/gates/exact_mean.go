package gates

import "math/big"

// exactMean is the mean of exact fractions, one for each run.
type exactMean struct {
	runs   int
	sums   map[string]*fraction // by denominator
	lowest *fraction
	low    int // the run that is lowest, the first of several
}

// fraction is an exact number; over is above 0.
type fraction struct{ part, over *big.Int }

func newFraction(part, over int64) *fraction { return &fraction{big.NewInt(part), big.NewInt(over)} }

// add adds the figure of a run.
func (m *exactMean) add(f *fraction, run int) {
	if m.sums == nil {
		m.sums = map[string]*fraction{}
	}
	m.runs++
	if m.lowest == nil || f.less(m.lowest) || run < m.low && !m.lowest.less(f) {
		m.lowest, m.low = f, run
	}
	key := f.over.String()
	if sum := m.sums[key]; sum != nil {
		sum.part.Add(sum.part, f.part)
		return
	}
	m.sums[key] = &fraction{new(big.Int).Set(f.part), f.over}
}

// floor returns the mean, rounded down; there is at least one run.
func (m *exactMean) floor() int {
	list := make([]*fraction, 0, len(m.sums))
	for _, sum := range m.sums { // the sum is exact, whatever the order
		list = append(list, sum)
	}
	total := sumOf(list)
	over := new(big.Int).Mul(total.over, big.NewInt(int64(m.runs)))
	return int(over.Div(total.part, over).Int64())
}

// sumOf adds fractions in halves, and does not reduce them: with many denominators that takes a fraction of the time. There
// is at least one.
func sumOf(list []*fraction) *fraction {
	if len(list) == 1 {
		return list[0]
	}
	a, b := sumOf(list[:len(list)/2]), sumOf(list[len(list)/2:])
	left, right := new(big.Int).Mul(a.part, b.over), new(big.Int).Mul(b.part, a.over)
	return &fraction{left.Add(left, right), right.Mul(a.over, b.over)}
}

// less compares exactly.
func (f *fraction) less(g *fraction) bool {
	return new(big.Int).Mul(f.part, g.over).Cmp(new(big.Int).Mul(g.part, f.over)) < 0
}

// floor returns the number, rounded down.
func (f *fraction) floor() int { return int(new(big.Int).Div(f.part, f.over).Int64()) }
