package git

import (
	"container/heap"
	"fmt"
)

// Logged is a commit of a log, with its hash.
type Logged struct {
	Hash string
	Commit
}

// Log calls see with a commit and its ancestors, the youngest first and each before its parents, until see returns
// false. It visits the first parents, or, if all is set, all ancestors. At the end of a shallow clone the log ends and
// isCut is true.
func (o *Objects) Log(hash string, all bool, see func(Logged) bool) (isCut bool, err error) {
	ends, err := o.repository.shallowEnds()
	if err != nil {
		return false, err
	}
	l := &logger{objects: o, ends: ends}
	if all {
		return l.walkAll(hash, see)
	}
	return l.walkFirstParents(hash, see)
}

// logger walks through the history.
type logger struct {
	objects *Objects
	ends    map[string]bool
	isCut   bool
}

func (l *logger) readCommit(hash string) (Logged, []string, error) {
	c, err := l.objects.Commit(hash)
	if err != nil {
		return Logged{}, nil, fmt.Errorf("commit %s %w", hash, err)
	}
	if l.ends[hash] {
		l.isCut = l.isCut || len(c.Parents) > 0
		return Logged{hash, c}, nil, nil
	}
	return Logged{hash, c}, c.Parents, nil
}

func (l *logger) walkFirstParents(hash string, see func(Logged) bool) (bool, error) {
	for range maxWalk {
		one, parents, err := l.readCommit(hash)
		if err != nil || !see(one) || len(parents) == 0 {
			return l.isCut, err
		}
		hash = parents[0]
	}
	return false, errLong
}

var errLong = fmt.Errorf("more than %d commits", maxWalk)

// walkAll walks through all ancestors. A commit is seen after all its children. Their number is known only when all commits
// have been read, so the history is read before the first commit is seen.
func (l *logger) walkAll(hash string, see func(Logged) bool) (bool, error) {
	known, children, err := l.collect(hash)
	if err != nil {
		return l.isCut, err
	}
	var ready queue
	push := func(hash string) {
		one := known[hash]
		heap.Push(&ready, &visit{hash: hash, parents: one.parents, time: one.Time, order: one.order})
	}
	push(hash)
	for len(ready) > 0 {
		v := heap.Pop(&ready).(*visit)
		if !see(known[v.hash].Logged) {
			return l.isCut, nil
		}
		for _, parent := range v.parents {
			if children[parent]--; children[parent] == 0 {
				push(parent)
			}
		}
	}
	return l.isCut, nil
}

// ancestor is a commit that a log of all ancestors has read.
type ancestor struct {
	Logged
	parents []string // parents that the clone has
	order   int
}

// collect reads a commit and all of its ancestors, and counts the children that each of them has.
func (l *logger) collect(hash string) (known map[string]ancestor, children map[string]int, err error) {
	known, children = map[string]ancestor{}, map[string]int{}
	for next := []string{hash}; len(next) > 0; {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if _, seen := known[at]; seen {
			continue
		}
		if len(known) == maxWalk {
			return nil, nil, errLong
		}
		one, parents, err := l.readCommit(at)
		if err != nil {
			return nil, nil, err
		}
		known[at] = ancestor{one, parents, len(known)}
		for _, parent := range parents {
			children[parent]++
			next = append(next, parent)
		}
	}
	return known, children, nil
}
