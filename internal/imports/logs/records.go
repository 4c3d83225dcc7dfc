package logs

import "iter"

// record is a record of a session, linked to the record that encloses it.
type record struct {
	id       string
	outer    *record // the enclosing record; nil if the log names none
	inLog    bool    // the record is in the log, not only its id
	inCircle bool    // the record encloses itself; known once the events are arranged
	isAgent  bool    // the record is the work of an agent

	kinds       uint8   // the kinds of the record's events, a bit each
	isExecution bool    // the record is an execution
	hasUnpaired bool    // a call without an execution is a part of the record
	call        *joined // the call whose execution the record is; nil if there is none
}

// outward yields a record and its enclosing records, the nearest first; nothing for nil.
func (r *record) outward() iter.Seq[*record] {
	const deepest = 1000 // ends circles, too
	return func(yield func(*record) bool) {
		for depth := 0; r != nil && depth < deepest && yield(r); depth++ {
			r = r.outer
		}
	}
}

// record returns the record with an id, and creates it if needed; nil for "".
func (s *Session) record(id string) *record {
	if id == "" {
		return nil
	}
	if one := s.records[id]; one != nil {
		return one
	}
	if s.records == nil {
		s.records = map[string]*record{}
	}
	one := &record{id: id}
	s.records[id] = one
	return one
}

// linkedRecord returns the record with an id, linked to its enclosing records; nil for "".
func (s *Session) linkedRecord(id string) *record {
	s.linkRecords()
	return s.record(id)
}

func (s *Session) linkRecords() {
	for _, one := range s.unlinked {
		r := s.record(one.ID)
		r.inLog, r.outer = true, s.record(one.Parent)
	}
	s.unlinked = nil
}

func (s *Session) markCircles() {
	seen := map[*record]int{} // the number of the walk that visited the record, from 1
	walk := 0
	for _, start := range s.records {
		walk++
		r := start
		for ; r != nil && seen[r] == 0; r = r.outer {
			seen[r] = walk
		}
		if r == nil || seen[r] != walk {
			continue
		}
		for ; !r.inCircle; r = r.outer {
			r.inCircle = true
		}
	}
}
