package logs

import "github.com/org/mcp-gates/internal/catalog"

// unpaired finds the calls of a session that have no execution yet, by the traits that an execution shares with its call.
type unpaired struct {
	numbers map[trait]int // numbers of the traits, counted from 1
	queues  map[queueKey][]*joined
}

// trait is a property that calls share: the tool, its server or any server, and the arguments.
type trait struct {
	name, server string
	anyServer    bool
	which        whichArgs
	args         string // if which is equalArgs
}

// whichArgs selects the arguments that a trait covers.
type whichArgs uint8

const (
	equalArgs whichArgs = iota
	noArgs              // the log does not keep the arguments
	anyArgs
)

// queueKey is a trait and the record that a call is a part of; the record is nil for all records.
type queueKey struct {
	trait int
	in    *record
}

func newUnpaired(s *Session, calls []*joined) *unpaired {
	u := &unpaired{numbers: map[trait]int{}, queues: map[queueKey][]*joined{}}
	for _, one := range calls {
		if one.paired {
			continue
		}
		in := s.record(one.call.Reply)
		if in != nil {
			in.hasUnpaired = true
		}
		for _, t := range one.traits() {
			u.add(t, in, one)
		}
	}
	return u
}

func (u *unpaired) add(t trait, in *record, one *joined) {
	number := u.numbers[t]
	if number == 0 {
		number = len(u.numbers) + 1
		u.numbers[t] = number
	}
	ofSession := queueKey{trait: number}
	u.queues[ofSession] = append(u.queues[ofSession], one)
	if in != nil {
		ofRecord := queueKey{number, in}
		u.queues[ofRecord] = append(u.queues[ofRecord], one)
	}
}

func (c *joined) traits() [4]trait {
	own := trait{name: c.ref.Name, server: c.ref.Server, args: c.canonical}
	if c.call.Args.Absent {
		own.which, own.args = noArgs, ""
	}
	ofAnyArgs := own
	ofAnyArgs.which, ofAnyArgs.args = anyArgs, ""
	return [4]trait{own, own.ofAnyServer(), ofAnyArgs, ofAnyArgs.ofAnyServer()}
}

func (t trait) ofAnyServer() trait {
	t.server, t.anyServer = "", true
	return t
}

// traitsFor returns the numbers of the traits that the call of an execution can have; see [joined.matches].
func (u *unpaired) traitsFor(ref catalog.Ref, canonical string, withoutArgs bool) []int {
	args := []trait{{which: equalArgs, args: canonical}, {which: noArgs}}
	if withoutArgs {
		args = []trait{{which: anyArgs}}
	}
	var numbers []int
	for _, t := range args {
		t.name = ref.Name
		candidates := []trait{t.ofAnyServer()}
		if ref.Server != "" {
			withoutServer, withServer := t, t
			withServer.server = ref.Server
			candidates = []trait{withoutServer, withServer}
		}
		for _, one := range candidates {
			if number := u.numbers[one]; number > 0 {
				numbers = append(numbers, number)
			}
		}
	}
	return numbers
}

// find returns the first call with one of the traits, in the nearest record from in outward that has such a call, otherwise in
// the session; nil if there is none.
func (u *unpaired) find(traits []int, in *record) *joined {
	if len(traits) == 0 {
		return nil
	}
	for r := range in.outward() {
		if !r.hasUnpaired {
			continue
		}
		if one := u.first(traits, r); one != nil {
			return one
		}
	}
	return u.first(traits, nil)
}

// first returns the first call with one of the traits in a record; nil if there is none.
func (u *unpaired) first(traits []int, in *record) *joined {
	var first *joined
	for _, t := range traits {
		key := queueKey{t, in}
		queue := u.queues[key]
		before := len(queue)
		for len(queue) > 0 && queue[0].paired {
			queue = queue[1:]
		}
		if len(queue) < before {
			u.queues[key] = queue
		}
		if len(queue) > 0 && (first == nil || queue[0].eventIndex < first.eventIndex) {
			first = queue[0]
		}
	}
	return first
}
