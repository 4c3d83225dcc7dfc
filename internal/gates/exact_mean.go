package gates

import (
	"fmt"
	"math/big"
)

// exactMean is the mean of exact fractions, one for each run.
type exactMean struct {
	runs   int
	counts map[int64]int64      // sums by denominator, of shares
	sums   map[string]*fraction // the same, of fractions
	lowest *fraction
	low    int // the run that is lowest, the first of several
}

// fraction is an exact number; over is above 0.
type fraction struct{ part, over *big.Int }

func newFraction(part, over int64) *fraction { return &fraction{big.NewInt(part), big.NewInt(over)} }

// addShare adds the figure of a run that is a share of at most 2,000,000, in percent.
func (m *exactMean) addShare(part, over int64, run int) {
	if m.counts == nil {
		m.counts = map[int64]int64{}
	}
	m.counts[over] += 100 * part
	m.runs++
	if part < over || m.lowest == nil { // otherwise it is 100, as most are
		m.note(newFraction(100*part, over), run)
	}
}

// add adds the figure of a run.
func (m *exactMean) add(f *fraction, run int) {
	if m.sums == nil {
		m.sums = map[string]*fraction{}
	}
	m.runs++
	m.note(f, run)
	key := f.over.String()
	if sum := m.sums[key]; sum != nil {
		sum.part.Add(sum.part, f.part)
		return
	}
	m.sums[key] = &fraction{new(big.Int).Set(f.part), f.over}
}

// note keeps the lowest figure.
func (m *exactMean) note(f *fraction, run int) {
	if m.lowest == nil || f.less(m.lowest) || run < m.low && !m.lowest.less(f) {
		m.lowest, m.low = f, run
	}
}

// floor returns the mean, rounded down; there is at least one run.
func (m *exactMean) floor() int {
	list := make([]*fraction, 0, len(m.counts)+len(m.sums))
	for over, part := range m.counts { // the sum is exact, whatever the order
		list = append(list, newFraction(part, over))
	}
	for _, sum := range m.sums {
		list = append(list, sum)
	}
	runs := big.NewInt(int64(m.runs))
	if low, high := about(list, runs); low == high {
		return low
	}
	total := sumOf(list)
	over := runs.Mul(total.over, runs)
	return int(over.Div(total.part, over).Int64())
}

// about returns bounds of the mean, rounded down: the exact sum of a million different fractions takes a minute.
func about(list []*fraction, runs *big.Int) (low, high int) {
	const bits = 64 // of each fraction behind the point
	sum := new(big.Int)
	for _, f := range list {
		scaled := new(big.Int).Lsh(f.part, bits)
		sum.Add(sum, scaled.Div(scaled, f.over))
	}
	mean := func() int { return int(new(big.Int).Rsh(new(big.Int).Div(sum, runs), bits).Int64()) }
	low = mean()
	sum.Add(sum, big.NewInt(int64(len(list)))) // each was rounded down by less than 1
	return low, mean()
}

// worst returns the lowest figure and its run; "" where every figure is 100.
func (m *exactMean) worst() string {
	percent := m.lowest.floor()
	if percent == 100 {
		return ""
	}
	return fmt.Sprintf("lowest in run %d, %d%%", m.low, percent)
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
