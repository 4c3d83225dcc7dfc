package english

import (
	"strings"
	"sync"
)

// verbs are English verbs that describe the work of a tool, in their base form; see [verbForms.add]. The verbs be, have and
// do and the modal ones are left out, because they do not describe any work.
//
//   - tag*: a noun in more descriptions ("image tag") than it is a verb ("Tags an image", "to tag an image"). The base and
//     the -s form count only where a verb stands: at the start of a sentence, or after one of verbLeads.
//   - list+: only the base form counts as described for tag*. The -s form counts anywhere, because it is more often the verb.
//   - take/took/taken: the irregular forms, which replace the -ed form.
//
// British spellings of -ize and -yze are derived; britishVerbs has the others.
const verbs = `
abort abstract* accelerate accept access accomplish achieve acknowledge acquire act* activate adapt add address*
adjust advise affect aggregate aid aim alert* align allocate allow allowlist alter amend analyze animate annotate
announce annul anonymize answer* append apply appoint approve archive* arrange ask assay* assemble assert assess
assign assist associate assume attach attempt audit* augment authenticate author* authorize autocomplete automate
avoid award
back* backtest backup* balance* ban batch become/became/become begin/began/begun bend/bent bill* bind/bound blacklist
blend block* book bookmark* boost bootstrap branch* break*/broke/broken brief* bring/brought broadcast* browse
build/built bulk* buy*/bought bypass
cache* calculate calibrate call cancel cap* capture care* cast/cast catalog* catch*/caught categorize chain* change*
charge chart* chat* check choose/chose/chosen cite claim* clarify classify clean cleanup clear click clone close
cluster* coerce collaborate collapse collect color* combine come/came/come comment* commit communicate compare compile
complete compose comprehend compress comprise compute concatenate conceive concur condition* conduct confer configure
confirm conform confuse connect consider consist consolidate construct consult consume contact* contain contextualize
continue contract* contrast* contribute control* converse convert convey cook cooperate coordinate copy* correct
correlate correspond cost*/cost count* cover* craft* crawl create credit* critique* crop cross crosscheck crystallize
curate cure* customize cut/cut cycle*
date* deactivate deal*/dealt debate debit debug decide declare decline decode decommission decompile decompose
decompress decrease decrypt dedupe deduplicate deepen defer define deflate delegate delete deliver delve demonstrate
denormalize denote deny denylist depend depict deploy deprecate deprioritize derive describe deselect deserialize
design* destroy detach detail* detect determine develop devise diagnose dial diarize dictate diff differ differentiate
digest* disable disambiguate disassociate discard discern disconnect discourage discover discuss dismiss dispatch
display* dissect distinguish distribute dive divide dock* document* dominate downgrade download* downscale downvote
draft* drag draw/drew/drawn drill drive*/drove/driven drop* dump* duplicate
earn echo* edit educate elaborate elevate elicit eliminate email* embark embed embody emit emphasize empower emulate
enable encapsulate encode encompass encounter encourage encrypt end endorse endure enforce engage enhance enliven
enqueue enquire enrich enrol enroll ensure enter entertain entitle enumerate envision equal* equate equip erase
escalate establish estimate* evade evaluate evolve examine excel exchange exclude exec execute exempt exercise*
exfiltrate exhaust exhibit exist exit expand expect experience* explain exploit explore export* expose express extend
extract extrapolate
facilitate fail familiarize favor feature* federate feed*/fed fetch fill filter* finalize find/found fine* finetune
finish fire* fit* fix flag* flatten flip flourish fluctuate flush focus* fold follow forecast*
foresee/foresaw/foreseen forge* forget/forgot/forgotten forgive/forgave/forgiven fork* form* formalize format
formulate forward foster frame* freeze/froze/frozen fulfill fund* fuzz
gain gamify gate* gather gauge generalize generate geocode get/got/gotten give/gave/given glean go/went/gone govern
grab grant graph grasp greet grep group grow/grew/grown guarantee guess guide*
halt handle hash* head* help hide/hid/hidden highlight hinder hire hit/hit hold/held hook* host* hover humanize
hydrate hyperlink hypothesize
identify illuminate illustrate imagine immerse impact* impersonate implement imply import impose improve improvise
incline incorporate increase increment index* indicate induce infer inflate influence* inform ingest inhabit inherit
init initial* initialize initiate inject input* inquire insert inspect inspire install instantiate instill instruct
instrument* insulate integrate intend interact intercept interface* interleave internalize interpolate interpret
interrogate intersect intervene interview* introduce intrude invalidate inventory* invert invest investigate invite
invoice* invoke involve isolate issue* item* iterate
join jot judge* jump justify juxtapose
keep/kept kick kickstart kill know/knew/known
label* land launch* lay/laid layer* lead*/led leak* learn/learned/learnt lease* lemmatize lend/lent lessen let/let
leverage liberate lift* lighten like* limit* line* link* lint list+ listen load localize locate lock* log* look*
lookup* loop* lose/lost lower
magnify mail* maintain make/made manage manipulate map* mark* market* mask* mass* master* match* materialize maximize
measure* mediate meditate meet/met memoize memorize mend merge message* meter migrate mimic mine* mingle minify
minimize mint mirror* mitigate mix* mock* model* modernize modify monitor* motivate mount* move multiplex multiply
mutate mute
name* narrow navigate need negate negotiate nominate normalize notarize note* notify nudge number* nurture
obey obfuscate object* obscure obtain occur offer* offload onboard open operate oppose optimize orchestrate order*
organize outline* outperform output* overcome/overcame/overcome overlap overlay* overlook override/overrode/overridden
oversee/oversaw/overseen overwrite/overwrote/overwritten own*
pack* page* paint* pair* parallelize parameterize parametrize paraphrase parent* park* parse participate partition
partner* pass paste* patch* pattern* pause* pay/paid peek penalize perceive perform permit persist personalize
persuade pertain perturb pick* pin* ping pinpoint pipe* pitch* place* plan* play* plot* plug* point* polish* poll*
ponder pop* populate position* post* precede predefine predict prefetch prepare prepend preprocess present preserve
preside press prevent preview* print* prioritize probe proceed process* procure produce profile* program* prohibit
prolong promote prompt* pronounce proofread/proofread propagate propose protect prove/proved/proven provide provision
prune publish pull purchase* purge purify pursue push put/put
qualify quantify quantize query* question* queue* quit/quit quote*
raise randomize rank* rate* reach react* read/read realize reap rearrange reason* reassemble reassign rebalance rebase
reboot rebuild/rebuilt recall recap* receive recite reckon reclaim recognize recommend reconcile reconnect reconsider
reconstruct record* recover recreate recruit* rectify recur redact redeem redeploy redirect redo/redid/redone reduce
refactor refer reference* refine reflect reformat refresh refund refuse regard* regenerate register regress rehearse
reignite reimburse reindex reinforce reinstate reject rekindle relate relaunch relay release* relieve reload relocate
rely remain remediate remember remind remove rename render renew renounce reopen reorder reorganize repair* repeat*
rephrase replace replay replenish replicate reply* report* repost represent reprioritize reproduce repurpose request*
require reroute rerun/reran/rerun resample rescale reschedule rescue research* resemble resend/resent reserve*
reset/reset reshare reside resize resolve respawn respect* respond restart restore restrict resubmit result* resume*
resurface retain retarget retell/retold retire retrace retrain retrieve retrofit retry return retweet reupload reuse
revalidate revamp reveal reverse revert review* revise revisit revive revoke revolutionize reward* rewind/rewound
reword rewrite/rewrote/rewritten ring*/rang/rung roll* rollback* rollover rotate round* route* rule* run/ran/run
salvage sample* sanitize satisfy save scaffold scale* scan scavenge schedule* score* scour scrape screen* screenshot*
script* scroll scrub scrutinize seal* search+ season* secure see/saw/seen seek/sought segment* seize select sell/sold
send/sent separate sequence serialize serve server* set*/set settle shake/shook/shaken shape* shard share* shelter
shield* shift* ship* shop* shorten show+/showed/shown showcase* shrink/shrank/shrunk shuffle shut/shut side* sift
sign* signal* silence simplify simulate situate size* sketch* skip sleep*/slept slice slide/slid slow snap* snooze*
socialize solve sort+ source* space* span* spark* spawn speak*/spoke/spoken specialize specify speed* spell
spend/spent spin/spun split/split spot* spotlight* spread*/spread squash stabilize stack* staff* stage* stamp*
stand*/stood standardize star* start* stash* state* stay* steer stem* step* stimulate stitch stock* stop* store*
stream* streamline strengthen strip strive/strove/striven structure* struggle study* style* subdivide submit subsample
subscribe subset* substantiate substitute subtract succeed suffer suggest suit* sum* summarize supersede supervise
supply* support* suppress surf surface* surveil suspend sustain swap* sweep*/swept swipe switch* sync synchronize
synthesize
tab* table* tabulate tackle tag* tail* tailor take/took/taken tally* tap* target* task* teach/taught teleport
tell/told terminate test* tether text* think/thought thread* thrive throttle throw/threw/thrown tick* tie time*
timestamp* tip* title* toggle tokenize total* touch* trace* track* trade* train* transact transcend transcode
transcribe transfer* transfigure transform transition* translate transliterate transmit transpile transpose travel*
traverse treat* trend* triage triangulate trigger* trim troubleshoot truncate try tune turn tweak type*
typeset/typeset
unarchive unassign unban unblock unblur uncheck uncover undergo/underwent/undergone understand/understood
undertake/undertook/undertaken undo/undid/undone unfollow unfreeze/unfroze/unfrozen unhide unify uninstall unite
unleash unlink unload unlock unmask unmount unmute unpack unpause unpin unpublish unregister unroll unset unshare
unsnooze unstage unstar unsubscribe unveil unwind/unwound unwrap unzip update upgrade uphold/upheld upload upscale
upsert upvote urge use utilize utter
vacuum* validate value* vanish vary vectorize venture verbalize verify version* vet view* visa* visit* visualize
voice* vote*
wait waive walk want warehouse* warn warrant wash* watch* weave/wove/woven weigh* weight* welcome whitelist widen
wield wipe withdraw/withdrew/withdrawn withhold/withheld withstand/withstood witness wonder* word* work* worsen wrap*
wrestle write/wrote/written
yield*
zero* zip* zone* zoom*
`

// verbLeads are words after which a word that can be a noun is a verb.
var verbLeads = setOf(`to can will may must should you please not then also which that it tool tools server function command
operation endpoint api agent service app plugin this`)

// verbForms maps the inflected forms of the verbs, in lower case, to the places where each is a verb.
type verbForms map[string]place

// place is the place at which a form counts as a verb.
type place uint8

const (
	nowhere  place = iota
	leading        // the word counts as a verb only where a verb is expected
	anywhere       // the word counts as a verb anywhere
)

// commonVerbs returns the forms of verbs. They are computed at the first call, because most checks do not judge
// descriptions.
var commonVerbs = sync.OnceValue(func() verbForms {
	f := make(verbForms, 5200) // room for all 5173: a growing map takes twice as long
	for entry := range strings.FieldsSeq(verbs) {
		f.add(entry)
	}
	return f
})

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// add adds all forms of a verb. The entry is written as in the list of verbs: marks, and irregular forms behind a slash.
func (f verbForms) add(entry string) {
	marked, past, irregular := strings.Cut(entry, "/")
	verb := strings.TrimRight(marked, "*+")
	base, third := anywhere, anywhere
	switch marked[len(verb):] {
	case "*":
		base, third = leading, leading
	case "+":
		base = leading
	}
	inS, forms := thirdPerson(verb), gerunds(verb)
	f[verb], f[inS] = max(f[verb], base), max(f[inS], third)
	if irregular {
		forms = append(forms, strings.Split(past, "/")...)
	} else {
		forms = append(forms, pasts(verb)...)
	}
	for _, form := range forms {
		if form != verb { // a past form that equals the base, such as cost, can also be a noun
			f[form] = anywhere
		}
	}
	if british := inBritish(verb); british != verb {
		f.add(british + marked[len(verb):])
	}
}

// britishVerbs are the British spellings that do not follow from an ending.
var britishVerbs = map[string]string{
	"catalog": "catalogue", "color": "colour", "favor": "favour", "fulfill": "fulfil", "instill": "instil", "program": "programme",
}

// inBritish returns organise for organize and analyse for analyze; -ize is not an ending in size and resize.
func inBritish(verb string) string {
	if british, ok := britishVerbs[verb]; ok {
		return british
	}
	const shortest = len("realize")
	if stem, ok := strings.CutSuffix(verb, "ize"); ok && len(verb) >= shortest {
		return stem + "ise"
	}
	if stem, ok := strings.CutSuffix(verb, "yze"); ok {
		return stem + "yse"
	}
	return verb
}

// thirdPerson returns the -s form: fixes, copies, plays, goes.
func thirdPerson(verb string) string {
	switch last := verb[len(verb)-1]; {
	case strings.ContainsRune("sxzo", rune(last)), strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "sh"):
		return verb + "es"
	case endsInConsonantY(verb):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// pasts returns the regular -ed forms: deleted, copied, mapped, mimicked.
func pasts(verb string) []string {
	switch {
	case strings.HasSuffix(verb, "e"):
		return []string{verb + "d"}
	case endsInConsonantY(verb):
		return []string{verb[:len(verb)-1] + "ied"}
	}
	return suffixed(verb, "ed")
}

// gerunds returns the -ing forms: deleting, seeing, tying, mapping, mimicking.
func gerunds(verb string) []string {
	switch {
	case strings.HasSuffix(verb, "ee"):
		return []string{verb + "ing"}
	case strings.HasSuffix(verb, "ie"):
		return []string{verb[:len(verb)-2] + "ying"}
	case strings.HasSuffix(verb, "e"):
		return []string{verb[:len(verb)-1] + "ing"}
	}
	return suffixed(verb, "ing")
}

// stressed are verbs of several syllables whose final consonant is always doubled: committed, but edited.
var stressed = setOf(`annul begin bootstrap commit concur confer control debug defer embed emit enrol equip excel forget format
fulfil infer init input instil occur output overlap permit recap recur refer reformat rerun reset resubmit retrofit screenshot
submit subset transfer transmit typeset unban unblur unpin unset unstar unwrap unzip`)

// eitherWay are verbs that are spelled with or without a double final consonant, except those in -l.
var eitherWay = setOf("focus program")

// suffixed adds a suffix that begins with a vowel. A final consonant after a single vowel is doubled if the last
// syllable is stressed (mapped, committed); a final -l is also doubled in British spelling (canceled, cancelled).
func suffixed(verb, suffix string) []string {
	switch {
	case strings.HasSuffix(verb, "ic"):
		return []string{verb + "k" + suffix}
	case !endsInVowelConsonant(verb):
		return []string{verb + suffix}
	}
	single, double := verb+suffix, verb+verb[len(verb)-1:]+suffix
	switch {
	case stressed[verb], syllables(verb) == 1:
		return []string{double}
	case strings.HasSuffix(verb, "l"), eitherWay[verb]:
		return []string{single, double}
	}
	return []string{single}
}

// syllables returns the number of runs of vowels in a verb; the u of qu does not count.
func syllables(verb string) int {
	n, before := 0, false
	for i := range len(verb) {
		vowel := isVowel(verb[i]) && (i == 0 || verb[i-1] != 'q') || verb[i] == 'y' && i > 0 && !isVowel(verb[i-1])
		if vowel && !before {
			n++
		}
		before = vowel
	}
	return n
}

func endsInConsonantY(verb string) bool {
	n := len(verb)
	return n > 1 && verb[n-1] == 'y' && !isVowel(verb[n-2])
}

// endsInVowelConsonant reports whether the last letter can be doubled: map, commit, cancel, quit; not load.
func endsInVowelConsonant(verb string) bool {
	n := len(verb)
	if n < 3 || !isVowel(verb[n-2]) || isVowel(verb[n-1]) || strings.ContainsRune("wxy", rune(verb[n-1])) {
		return false
	}
	return !isVowel(verb[n-3]) || strings.HasSuffix(verb[:n-2], "qu")
}

func isVowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }
