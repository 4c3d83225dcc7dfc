package gates

import (
	"slices"
	"strings"
	"sync"

	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/lint/english"
)

// claimVerbs maps each verb of a claim to words that show the action in a call, in addition to the verb itself. The lists are
// generous, because people use verbs loosely: a file that was "created" may have been written by a script.
var claimVerbs = map[string]string{
	"create":   "add append build compose convert copy creation draw duplicate edit export fork generate generation init insert instantiate make mkdir new plot post produce provision register render save savefig schedule submit touch upload upsert write",
	"update":   "add adjust alter amend apply change configure correct edit fix insert modification modify move overwrite patch put remove rename replace reschedule revise save set switch upgrade upsert write",
	"delete":   "cancel clean clear deletion destroy discard drop erase prune purge remove removal rm trash uninstall unlink unset",
	"remove":   "cancel clean clear delete deletion detach disable drop edit erase exclude prune purge replace revoke rm strip trash unassign uninstall unlink unset update",
	"send":     "broadcast deliver dispatch email forward issue mail message notify post publish push reply share sms submit transfer transmit",
	"write":    "add append put compose create creation draft dump edit export generate insert output overwrite record save script store update",
	"post":     "add comment create message publish reply send share submit tweet upload write",
	"insert":   "add append attach create embed import paste place put set update upsert write",
	"set":      "add adjust apply assign change configure create define edit enable format initialize modify put reset schedule store style switch turn update upsert write",
	"put":      "add assign insert move place set store update upload write",
	"publish":  "create deploy launch post push release send share submit upload",
	"add":      "append apply assign associate attach create edit embed enable enroll extend format include insert install invite join link make merge modify place put register save set subscribe tag update upload upsert write",
	"edit":     "add adjust alter amend change format insert modify patch put replace revise rewrite set style update write",
	"upload":   "add attach commit create import post publish push put save send store submit transfer write",
	"merge":    "append combine concat concatenate consolidate fuse integrate join mix stitch unite",
	"close":    "archive complete delete dismiss end finish lock quit resolve shut stop terminate transition update",
	"cancel":   "abort cancellation delete remove revoke stop terminate unschedule unsubscribe void withdraw",
	"approve":  "accept allow approval authorize confirm grant merge review sign update",
	"revoke":   "cancel deny delete disable expire invalidate remove revocation unassign unset withdraw",
	"book":     "appointment booking buy create hold order purchase rebook reserve schedule",
	"save":     "append edit insert put capture convert copy create download dump export generate keep output persist record savefig store update write",
	"generate": "add edit build compose compute convert create creation design draw export generation generator make output plot produce render run save savefig write",
	"change":   "add adjust alter amend convert edit modification modify move patch put remove rename replace reschedule revise set switch transition turn update upgrade downgrade write",
	"refund":   "cancel chargeback compensate credit reimburse return reverse transfer update void",
	"issue":    "create credit generate grant invoice mint post publish refund release send submit",
	"move":     "archive assign change copy drag migrate mv relocate rename reorder reschedule shift transfer transition update",
	"rename":   "change edit move mv update write",
}

// executors are words in the names of tools that run arbitrary commands. A call to such a tool supports every claim, because its
// effect is unknown.
const executors = "bash command console eval exec execute run script shell terminal"

// standardVerbs are the keys of claimVerbs, in the order of the documentation.
var standardVerbs = strings.Fields(`create update delete remove send write post insert set put publish add edit upload merge close cancel
approve revoke book save generate change refund issue move rename`)

// verbTable holds the stems that decide which claims a call supports. It is computed once, because computing it takes longer than
// judging most cases.
type verbTable struct {
	verbs     english.ClaimVerbs
	doers     map[string][]string // for each verb, the stems that support a claim with this verb
	named     map[string]bool     // stems of the verbs
	executors []string
}

// standardTable returns the table of the standard verbs.
var standardTable = sync.OnceValue(func() *verbTable { return newVerbTable(standardVerbs) })

func newVerbTable(verbs []string) *verbTable {
	var stems lexical.Stems
	t := verbTable{verbs: english.NewClaimVerbs(verbs), doers: map[string][]string{}, named: map[string]bool{}}
	for word := range strings.FieldsSeq(executors) {
		t.executors = append(t.executors, stems.Stem(word))
	}
	for _, verb := range verbs {
		past, participles := english.PastForms(verb)
		t.named[stems.Stem(verb)] = true
		t.doers[verb] = []string{stems.Stem(verb)}
		for _, word := range slices.Concat(strings.Fields(claimVerbs[verb]), past, participles) {
			t.doers[verb] = append(t.doers[verb], stems.Stem(word))
		}
	}
	return &t
}
