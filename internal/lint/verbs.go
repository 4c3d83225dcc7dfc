package lint

import (
	"strings"
	"sync"
)

// verbs are English verbs that descriptions of tools use for what the tool does, in their base form. Words that stand
// there more often as nouns are in nounVerbs. The verbs be, have and do and the modal ones are left out: they say nothing
// about what a tool does.
const verbs = `
abort accelerate accept access accomplish achieve acknowledge acquire activate adapt add adjust advise affect
aggregate aid aim align allocate allow allowlist alter amend analyse analyze animate annotate announce annul anonymize
append apply appoint approve arrange ask assemble assert assess assign assist associate assume attach attempt augment
authenticate authorise authorize autocomplete automate avoid award
backtest ban batch become begin bind blacklist blend book boost bootstrap bring browse build bypass
calculate calibrate call cancel capture cast categorise categorize charge check choose cite clarify classify clean
cleanup clear click clone close coerce collaborate collapse collect combine come commit communicate compare compile
complete compose comprehend compress comprise compute concatenate conceive concur conduct confer configure confirm
conform confuse connect consider consist consolidate construct consult consume contain contextualize continue
contribute converse convert convey cook cooperate coordinate correct correlate correspond crawl create crop cross
crosscheck crystallize curate customise customize cut
deactivate debate debit debug decide declare decline decode decommission decompile decompose decompress decrease
decrypt dedupe deduplicate deepen defer define deflate delegate delete deliver delve demonstrate denormalize denote
deny denylist depend depict deploy deprecate deprioritize derive describe deselect deserialise deserialize destroy
detach detect determine develop devise diagnose dial diarize dictate diff differ differentiate disable disambiguate
disassociate discard discern disconnect discourage discover discuss dismiss dispatch dissect distinguish distribute
dive divide dominate downgrade downscale downvote drag draw drill duplicate
earn edit educate elaborate elevate elicit eliminate embark embed embody emit emphasize empower emulate enable
encapsulate encode encompass encounter encourage encrypt end endorse endure enforce engage enhance enliven enqueue
enquire enrich enrol enroll ensure enter entertain entitle enumerate envision equate equip erase escalate establish
evade evaluate evolve examine excel exchange exclude exec execute exempt exfiltrate exhaust exhibit exist exit expand
expect explain exploit explore expose express extend extract extrapolate
facilitate fail familiarize favor federate fetch fill finalise finalize find finetune finish fix flatten flip flourish
fluctuate flush fold follow forget formalize format formulate forward foster freeze fulfill fuzz
gain gamify gather gauge generalize generate geocode get give glean go govern grab grant graph grasp greet grep group
grow guarantee guess
halt handle help hide highlight hinder hire hit hold hover humanize hydrate hyperlink hypothesize
identify illuminate illustrate imagine immerse impersonate implement imply import impose improve improvise incline
incorporate increase increment indicate induce infer inflate inform ingest inhabit inherit init initialise initialize
initiate inject inquire insert inspect inspire install instantiate instill instruct insulate integrate intend interact
intercept interleave internalize interpolate interpret interrogate intersect intervene introduce intrude invalidate
invert invest investigate invite invoke involve isolate iterate
join jot jump justify juxtapose
keep kick kickstart kill know
land lay learn lemmatize lessen let leverage liberate lighten lint listen load localize locate lose lower
magnify maintain make manage manipulate materialise materialize maximisemarise maximize mediate meditate meet memoize
memorize mend merge meter migrate mimic mingle minify minimise minimize mint mitigate modernize modify motivate move
multiplex multiply mutate mute
narrow navigate need negate negotiate nominate normalise normalize notarize notify nudge nurture
obey obfuscate obscure obtain occur offload onboard open operate oppose optimise optimize orchestrate organise
organize outperform overcome overlap overlook override oversee overwrite
parallelize parameterize parametrize paraphrase parse participate partition pass pay peek penalize perceive perform
permit persist personalise personalize persuade pertain perturb ping pinpoint ponder populate precede predefine
predict prefetch prepare prepend preprocess present preserve preside press prevent prioritise prioritize probe proceed
procure produce prohibit prolong promote pronounce proofread propagate propose protect prove provide provision prune
publish pull purge purify pursue push put
qualify quantify quantize quit
raise randomize reach read realize reap rearrange reassemble reassign rebalance rebase reboot rebuild recall receive
recite reckon reclaim recognise recognize recommend reconcile reconnect reconsider reconstruct recover recreate
rectify recur redact redeem redeploy redirect redo reduce refactor refer refine reflect reformat refresh refund refuse
regenerate register regress rehearse reignite reimburse reindex reinforce reinstate reject rekindle relate relaunch
relay relieve reload relocate rely remain remediate remember remind remove rename render renew renounce reopen reorder
reorganize rephrase replace replay replenish replicate repost represent reprioritize reproduce repurpose require
reroute rerun resample rescale reschedule rescue resemble resend reset reshare reside resize resolve respawn respond
restart restore restrict resubmit resurface retain retarget retell retire retrace retrain retrieve retrofit retry
return retweet reupload reuse revalidate revamp reveal reverse revert revise revisit revive revoke revolutionize
rewind reword rewrite rollover rotate run
salvage sanitise sanitize satisfy save scaffold scan scavenge scour scrape scroll scrub scrutinize secure see seek
seize select sell send separate sequence serialise serialize serve settle shard shelter shorten shrink shuffle shut
sift silence simplify simulate situate skip slice slow socialize solve spawn specialize specify spell spend spin split
squash stabilize standardise standardize steer stimulate stitch streamline strengthen strip strive struggle subdivide
submit subsample subscribe substantiate substitute subtract succeed suffer suggest summarise summarize supersede
supervise suppress surf surveil suspend sustain swipe sync synchronise synchronize synthesise synthesize
tabulate tackle tailor take teach teleport tell terminate tether think thrive throttle throw tie toggle tokenise
tokenize transact transcend transcode transcribe transfigure transform translate transliterate transmit transpile
transpose traverse triage triangulate trim troubleshoot truncate try tune turn tweak typeset
unarchive unassign unban unblock unblur uncheck uncover undergo understand undertake undo unfollow unfreeze unhide
unify uninstall unite unleash unlink unload unlock unmask unmount unmute unpack unpause unpin unpublish unregister
unroll unset unshare unsnooze unstage unstar unsubscribe unveil unwind unwrap unzip update upgrade uphold upload
upscale upsert upvote urge use utilise utilize utter
validate vanish vary vectorize venture verbalize verify vet visualise visualize
wait waive walk want warn warrant weave welcome whitelist widen wield wipe withdraw withhold withstand witness worsen
wrestle write
`

// nounVerbs are words that are verbs in some descriptions ("Stars a repository", "to tag an image") and nouns in more
// ("star count", "image tag"). Their base and -s forms count only where a verb stands: at the start of a sentence, or
// after one of verbLeads.
const nounVerbs = `
abstract act address alert answer archive assay audit author
back backup balance bill block bookmark branch brief broadcast bulk buy
cache cap care catalog chain change chart chat claim cluster color comment condition contact contract contrast control
copy cost count cover craft credit critique cure cycle
date deal design detail digest display dock document download draft drop dump
echo email equal estimate exercise experience export
feature feed filter fine fire fit flag focus forecast forge fork form frame fund
gate guide
hash head hook host
impact index influence initial input instrument interface interview inventory invoice issue item
judge
label launch layer lead leak lease lift like limit line link list lock log look lookup loop
mail map mark market mask mass master match measure message mine mirror mix mock model monitor mount
name note number
object offer order outline output overlay own
pack page paint pair parent park partner paste patch pattern pause pick pin pipe pitch place plan play plot plug point
polish poll pop position post preview print process profile program prompt purchase
query question queue quote
rank rate react reason recap record recruit reference regard release repair repeat reply report request research
reserve respect result resume review reward ring roll rollback round route rule
sample scale schedule score screen screenshot script seal search season segment server set shape share shield shift
ship shop show showcase side sign signal size sketch sleep snap snooze sort source space spark speak speed spot
spotlight spread stack staff stage stamp star start stash state stay stem step stock stop store stream structure study
style subset suit sum supply support surface swap sweep switch
tab table tag tail tally tap target task test text thread tick time timestamp tip title total touch trace track trade
train transfer transition travel treat trend trigger type
vacuum value version view visa visit voice vote
warehouse wash watch weigh weight wonder word work wrap
yield
zero zip zone zoom
`

// irregular are the forms of verbs that the rules of inflection do not make, and -s forms of nounVerbs that are verbs more
// often than plurals.
const irregular = `
analyses ate beat beaten became began begun beheld bent bought bound broke broken brought built came cast caught chose
chosen cost crept cut dealt diagnoses drawn drew driven drove dying eaten fallen fed fell felt fitted fled flung
foresaw forgave forgiven forgot forgotten fought found froze frozen gave given gone got gotten grew grown held hid
hidden hit kept knew known laid lay learnt led lent let lists lit looksup lost lying made meant met overridden overrode
overwritten overwrote paid proven putting quitting ran rebuilt redid redone rerun resent reset rewound rewritten
rewrote ridden risen rode rose rung sang sat saw searches seen sent set shaken shook shown shows shrank shrunk shut slept
slid sold sorts sought span spent spoke spoken spread sprung spun stolen stood striven strove struck stuck swept swum swung taken
taught thought threw thrown told took tore torn tried tying understood undid undone unwound went wept withdrawn
withdrew won wore woven written wrote
`

// verbLeads are words after which a noun-like word is a verb.
var verbLeads = setOf(`to can will may must should you please not then also which that it tool tools server function command
operation endpoint api agent service app plugin this`)

// verbForms returns every inflection of the verbs; nounVerbForms the base and -s forms that must stand where a verb
// does. They are made when they are first asked for: most checks judge no descriptions.
var (
	verbForms     = sync.OnceValue(inflected)
	nounVerbForms = sync.OnceValue(thirdPersons)
)

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

func inflected() map[string]bool {
	forms := setOf(irregular)
	for verb := range strings.FieldsSeq(verbs) {
		forms[verb] = true
		forms[thirdPerson(verb)] = true
		addParticiples(forms, verb)
	}
	for verb := range strings.FieldsSeq(nounVerbs) {
		addParticiples(forms, verb)
	}
	return forms
}

func thirdPersons() map[string]bool {
	forms := setOf(nounVerbs)
	for verb := range strings.FieldsSeq(nounVerbs) {
		forms[thirdPerson(verb)] = true
	}
	return forms
}

// thirdPerson returns the -s form: fixes, copies, plays.
func thirdPerson(verb string) string {
	switch {
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "x"), strings.HasSuffix(verb, "z"),
		strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "sh"), verb == "go", verb == "undo", verb == "redo":
		return verb + "es"
	case endsInConsonantY(verb):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// addParticiples adds the -ed and -ing forms. Whether a final consonant is doubled depends on the stress (edited, but
// committed), which the spelling does not show: both ways are added.
func addParticiples(forms map[string]bool, verb string) {
	stem := verb
	switch {
	case strings.HasSuffix(verb, "ee"):
		forms[verb+"d"] = true
		forms[verb+"ing"] = true
		return
	case strings.HasSuffix(verb, "e"):
		stem = verb[:len(verb)-1]
		forms[stem+"ed"] = true
		forms[stem+"ing"] = true
		return
	case endsInConsonantY(verb):
		forms[verb[:len(verb)-1]+"ied"] = true
		forms[verb+"ing"] = true
		return
	}
	forms[stem+"ed"] = true
	forms[stem+"ing"] = true
	if last := verb[len(verb)-1]; endsInVowelConsonant(verb) {
		forms[stem+string(last)+"ed"] = true
		forms[stem+string(last)+"ing"] = true
	}
}

func endsInConsonantY(verb string) bool {
	n := len(verb)
	return n > 1 && verb[n-1] == 'y' && !isVowel(verb[n-2])
}

// endsInVowelConsonant reports whether the last letter may be doubled: map, commit, cancel.
func endsInVowelConsonant(verb string) bool {
	n := len(verb)
	return n > 2 && isVowel(verb[n-2]) && !isVowel(verb[n-1]) && !strings.ContainsRune("wxy", rune(verb[n-1]))
}

func isVowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }
