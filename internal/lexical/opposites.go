package lexical

import (
	"strings"

	"github.com/kljensen/snowball/english"
)

// opposites are pairs of words that turn what a tool does into the opposite and that no prefix shows.
const opposites = `
	on off  in out  up down  before after  above below  over under  from to  all any  more less
	add remove  insert remove  create delete  create remove  add delete  create destroy  make destroy  insert delete
	open close  start stop  begin end  enable disable  enter exit  enter leave  join leave  show hide  allow deny  allow block
	allow forbid  accept reject  accept decline  approve reject  approve decline  grant revoke  increase decrease
	include exclude  import export  upload download  push pull  read write  get set  send receive  buy sell  lend borrow
	first last  minimum maximum  min max  true false  public private  encrypt decrypt  attach detach  ascending descending
	asc desc  oldest newest  least most  pause resume  expand collapse  merge split  promote demote  login logout
`

// denials are words that deny. A contraction such as "doesn't" is two words, and its last is t.
var denials = words("not no nor never neither none without cannot t")

// senses is a set of words of opposites: two bits a pair, one a word.
type senses [2]uint64

// sensesOf holds the bits of each word of opposites, a stop word by itself and another by its stem. A word may stand in
// several pairs.
var sensesOf = numbered(opposites)

func numbered(list string) map[string]senses {
	bits := map[string]senses{}
	for i, word := range strings.Fields(list) {
		if !stopWords[word] {
			word = english.Stem(word, true)
		}
		set := bits[word]
		set[i/64] |= 1 << (i % 64)
		bits[word] = set
	}
	return bits
}

func (s *senses) add(more senses) {
	for i, bits := range more {
		s[i] |= bits
	}
}

func (s *senses) addTerms(terms []int32, known map[int32]senses) {
	for _, term := range terms {
		s.add(known[term])
	}
}

// opposed reports whether a word that only s has is the opposite of one that only other has.
func (s senses) opposed(other senses) bool {
	const even = 0x5555555555555555
	for i := range s {
		only, others := s[i]&^other[i], other[i]&^s[i]
		if ((only&even)<<1|(only>>1)&even)&others != 0 {
			return true
		}
	}
	return false
}
