package tokens

import (
	"container/heap"
	"math"
)

// longestMerge is the maximum length in bytes of a piece that is merged as a whole, which bounds memory to some 20 MiB. A
// longer piece is merged in portions of this length, so that its count can be off by a few tokens at each seam.
const longestMerge = 1 << 20

// none is the rank of a pair that is not a token.
const none = math.MaxInt32

// parts is a piece that is being merged: a list of parts, each with the rank of the token that it forms with the next part. A
// part is identified by its offset.
type parts struct {
	piece string
	next  []int32 // start of the part after this one; len(piece) after the last
	prev  []int32 // start of the part before this one; -1 before the first
	pair  []int32 // rank of this part and the next together; none if they are not a token, or if no part begins at the offset any more
}

// mergedParts returns the number of tokens of piece in byte pair encoding. It repeatedly merges the pair of parts with the lowest
// rank; of equal ranks, the first. It takes n log n time.
func mergedParts(piece string) int {
	p := newParts(piece)
	q := make(queue, 0, len(piece))
	for i, rank := range p.pair {
		if rank != none {
			q = append(q, entry(rank, int32(i)))
		}
	}
	heap.Init(&q)
	count := len(piece)
	for len(q) > 0 {
		top := heap.Pop(&q).(uint64)
		rank, i := int32(top>>32), int32(top&math.MaxUint32)
		if p.pair[i] != rank {
			continue // the pair has changed since it was queued
		}
		p.merge(i)
		count--
		q.add(p, i)
		q.add(p, p.prev[i])
	}
	return count
}

func newParts(piece string) *parts {
	n := len(piece)
	p := &parts{piece, make([]int32, n), make([]int32, n), make([]int32, n)}
	for i := range p.next {
		p.next[i], p.prev[i] = int32(i+1), int32(i-1)
	}
	for i := range p.pair {
		p.pair[i] = p.rank(int32(i))
	}
	return p
}

// rank returns the rank of part i and the next part together.
func (p *parts) rank(i int32) int32 {
	next := p.next[i]
	if int(next) == len(p.piece) {
		return none
	}
	if rank, ok := rankOf(p.piece[i:p.next[next]]); ok {
		return int32(rank)
	}
	return none
}

// merge joins part i and the next part.
func (p *parts) merge(i int32) {
	gone := p.next[i]
	p.pair[gone] = none
	p.next[i] = p.next[gone]
	if int(p.next[i]) < len(p.piece) {
		p.prev[p.next[i]] = i
	}
	p.pair[i] = p.rank(i)
	if before := p.prev[i]; before >= 0 {
		p.pair[before] = p.rank(before)
	}
}

// queue is a heap of pairs, ordered by rank and then by offset.
type queue []uint64

func entry(rank, i int32) uint64 { return uint64(rank)<<32 | uint64(i) }

// add queues part i of p unless it is -1 or its pair is not a token.
func (q *queue) add(p *parts, i int32) {
	if i >= 0 && p.pair[i] != none {
		heap.Push(q, entry(p.pair[i], i))
	}
}

// Len implements [heap.Interface].
func (q queue) Len() int { return len(q) }

// Less implements [heap.Interface].
func (q queue) Less(i, j int) bool { return q[i] < q[j] }

// Swap implements [heap.Interface].
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements [heap.Interface].
func (q *queue) Push(pair any) { *q = append(*q, pair.(uint64)) }

// Pop implements [heap.Interface].
func (q *queue) Pop() any {
	last := len(*q) - 1
	pair := (*q)[last]
	*q = (*q)[:last]
	return pair
}
