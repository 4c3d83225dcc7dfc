package git

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"slices"
)

// ErrUnrelated means that two commits have no common ancestor.
var ErrUnrelated = errors.New("it has no commit in common with HEAD")

// ErrShallow means that a clone may lack the common ancestor of two commits.
var ErrShallow = errors.New("the clone is too shallow to hold the commit where HEAD left it")

// maxWalk bounds the number of visited commits, because each takes about 250 bytes of memory. The search for a merge base visits
// the whole of a long history only if there is no common ancestor.
const maxWalk = 1_000_000

// MergeBase returns the best common ancestor of two commits, like git merge-base: no other common ancestor descends
// from it. If there are several, it returns the latest.
func (o *Objects) MergeBase(one, two string) (string, error) {
	ends, err := o.repository.shallowEnds()
	if err != nil {
		return "", err
	}
	w := &walker{objects: o, ends: ends, max: maxWalk, seen: map[string]*visit{}}
	found, err := w.findCommon(one, []string{two})
	if err != nil {
		return "", err
	}
	if len(found) == 0 && len(ends) > 0 {
		return "", ErrShallow
	}
	if len(found) == 0 {
		return "", ErrUnrelated
	}
	for _, candidate := range found {
		redundant, err := w.reaches(found, candidate)
		if err != nil || !redundant {
			return candidate, err
		}
	}
	return "", ErrUnrelated
}

// side is a set of flags of a commit: from which of two commits it can be reached, and whether it is a common ancestor, or an
// ancestor of one.
type side byte

const (
	fromOne side = 1 << iota
	fromTwo
	belowBase // the commit is an ancestor of a common ancestor
	isBase
)

// visit is a commit that a walk has reached.
type visit struct {
	hash    string
	parents []string
	time    int64
	order   int // number of commits that were reached before this one
	sides   side
	queued  bool
}

// walker walks through the history, the youngest commit first. It keeps the commits that it has read.
type walker struct {
	objects *Objects
	ends    map[string]bool
	max     int // bound on the number of commits that are visited
	seen    map[string]*visit
	queue   queue
	open    int // number of commits in the queue that are not below a base
}

func (w *walker) readVisit(hash string) (*visit, error) {
	if v := w.seen[hash]; v != nil {
		return v, nil
	}
	if len(w.seen) == w.max {
		return nil, fmt.Errorf("more than %d commits on the way to a common one", w.max)
	}
	c, err := w.objects.Commit(hash)
	if err != nil {
		return nil, fmt.Errorf("commit %s %w", hash, err)
	}
	v := &visit{hash: hash, parents: c.Parents, time: c.Time, order: len(w.seen)}
	if w.ends[hash] {
		v.parents = nil
	}
	w.seen[hash] = v
	return v, nil
}

// push adds a commit to the queue if it has new sides, even if it was visited before, because its ancestors must get
// these sides, too.
func (w *walker) push(hash string, sides side) error {
	v, err := w.readVisit(hash)
	if err != nil || v.sides&sides == sides {
		return err
	}
	if v.queued && v.sides&belowBase == 0 {
		w.open--
	}
	v.sides |= sides
	if v.sides&belowBase == 0 {
		w.open++
	}
	if !v.queued {
		v.queued = true
		heap.Push(&w.queue, v)
	}
	return nil
}

func (w *walker) pop() *visit {
	v := heap.Pop(&w.queue).(*visit)
	v.queued = false
	if v.sides&belowBase == 0 {
		w.open--
	}
	return v
}

// findCommon marks the ancestors of one commit and of others, until the queue has only ancestors of common ancestors. It
// returns the common ancestors, the youngest first: if the times of commits go backwards, some may descend from others.
func (w *walker) findCommon(one string, others []string) ([]string, error) {
	if err := w.push(one, fromOne); err != nil {
		return nil, err
	}
	for _, other := range others {
		if err := w.push(other, fromTwo); err != nil {
			return nil, err
		}
	}
	var bases []*visit
	for w.open > 0 {
		v := w.pop()
		pass := v.sides & (fromOne | fromTwo | belowBase)
		if pass == fromOne|fromTwo {
			if v.sides&isBase == 0 {
				v.sides |= isBase
				bases = append(bases, v)
			}
			pass |= belowBase
		}
		for _, parent := range v.parents {
			if err := w.push(parent, pass); err != nil {
				return nil, err
			}
		}
	}
	var found []string
	for _, v := range bases {
		if v.sides&belowBase == 0 {
			found = append(found, v.hash)
		}
	}
	return found, nil
}

func (w *walker) reaches(commits []string, ancestor string) (bool, error) {
	others := slices.DeleteFunc(slices.Clone(commits), func(commit string) bool { return commit == ancestor })
	if len(others) == 0 {
		return false, nil
	}
	fromAncestor := &walker{objects: w.objects, ends: w.ends, max: w.max, seen: map[string]*visit{}}
	if _, err := fromAncestor.findCommon(ancestor, others); err != nil {
		return false, err
	}
	return fromAncestor.seen[ancestor].sides&fromTwo != 0, nil
}

// queue is a heap of commits, the youngest first.
type queue []*visit

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].time, q[i].time), cmp.Compare(q[i].order, q[j].order)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(v any)   { *q = append(*q, v.(*visit)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	v := (*q)[last]
	*q = (*q)[:last]
	return v
}
