package lexical

import (
	"slices"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// opposites are pairs of words with opposite meanings in descriptions of tools. They leave out pairs that differ only in a prefix
// of [turning].
const opposites = `
	on off  in out  up down  before after  above below  over under  from to  all any  more less
	add remove  insert remove  create delete  create remove  add delete  create destroy  make destroy  insert delete
	open close  start stop  begin end  enable disable  enter exit  enter leave  join leave  show hide  allow deny  allow block
	allow forbid  accept reject  accept decline  approve reject  approve decline  grant revoke  increase decrease
	include exclude  import export  upload download  push pull  read write  get set  send receive  buy sell  lend borrow
	first last  minimum maximum  min max  true false  public private  encrypt decrypt  attach detach  ascending descending
	asc desc  oldest newest  least most  pause resume  expand collapse  merge split  promote demote  login logout
`

// denials are words that negate. The t is the second word of a contraction such as "doesn't".
var denials = words("not no nor never neither none without cannot t")

// oppositeStems returns the pairs of opposites: a stop word unchanged, and any other word as its stem. A word can be in several
// pairs.
var oppositeStems = sync.OnceValue(func() [][]string {
	list := strings.Fields(opposites)
	for i, word := range list {
		if !stopWords[word] {
			list[i] = english.Stem(word, true)
		}
	}
	return slices.Collect(slices.Chunk(list, 2))
})

// areOpposed reports whether a word that is only in words is the opposite of a word that is only in others. Both lists are
// ascending.
func (v *sharedVocabulary) areOpposed(words, others []int32) bool {
	return slices.ContainsFunc(words, func(word int32) bool {
		return slices.ContainsFunc(v.opposites[word], func(opposite int32) bool {
			return holds(others, opposite) && !holds(words, opposite) && !holds(others, word)
		})
	})
}
