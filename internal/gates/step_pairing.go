package gates

// pairing pairs calls with steps, each with one at most, order aside. The steps of one entry of steps: are equal, and together
// have room for so many calls.
type pairing struct {
	calls [][]int // entries that each call matches
	room  []int   // by entry: how many more calls it takes
	taken [][]int // by entry: calls
	seen  []bool  // by entry: looked at in this search
	dead  []bool  // by entry: no search from it can end well any more
	work  *stepWork
}

// pair returns for each call whether it is in a largest pairing, and how many steps of each entry are left. It is a
// pairing with the earliest calls: a call is left out only where its place must go to an earlier one.
func (w walk) pair() (paired []bool, left []int) {
	entries := len(w.path.patterns)
	p := pairing{calls: w.calls, room: make([]int, entries), taken: make([][]int, entries), seen: make([]bool, entries), dead: make([]bool, entries), work: w.work}
	for _, entry := range w.path.order {
		p.room[entry]++
	}
	paired = make([]bool, len(w.calls))
	for i := range w.calls {
		clear(p.seen)
		if paired[i] = p.place(i); paired[i] {
			continue
		}
		// The entries that a search in vain has seen are full and lead only to such: later searches need not look there.
		for entry, seen := range p.seen {
			p.dead[entry] = p.dead[entry] || seen
		}
	}
	return paired, p.room
}

// place finds an entry for a call, for which other calls may move to other entries.
func (p *pairing) place(call int) bool {
	if !p.work.spend(1 + len(p.calls[call])) {
		return false
	}
	for _, entry := range p.calls[call] {
		if p.seen[entry] || p.dead[entry] {
			continue
		}
		p.seen[entry] = true
		if p.room[entry] > 0 {
			p.room[entry]--
			p.taken[entry] = append(p.taken[entry], call)
			return true
		}
		for at, other := range p.taken[entry] {
			if p.place(other) {
				p.taken[entry][at] = call
				return true
			}
		}
	}
	return false
}
