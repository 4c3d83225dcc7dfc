package judge

// These are the kinds of notes.
const (
	Matched      = "matched"        // a class that a tool satisfied
	Missed       = "missed"         // a class of which no tool was called
	NotFound     = "not_found"      // a class of which no search returned a tool
	NotPicked    = "not_picked"     // a class of which a tool was found, but none was called
	Unexpected   = "unexpected"     // calls to a tool that is in no class
	Chosen       = "chosen"         // calls to a distractor
	Unrecovered  = "unrecovered"    // calls that returned an error, without a successful call later
	Invalid      = "invalid"        // calls whose arguments the tool's schema refuses
	Hallucinated = "hallucinated"   // calls to a tool that the catalog does not list
	Restricted   = "restricted"     // calls that a restricted entry matches
	Outside      = "outside"        // calls to a tool that is neither allowed nor restricted
	Undelegated  = "undelegated"    // work that no run delegated to a sub-agent
	Wasted       = "wasted"         // calls that the shortest way to the result does not have
	Repeated     = "repeated"       // calls equal to the call just before
	Backtracked  = "backtracked"    // calls equal to an earlier call, but not to the call just before
	Strayed      = "strayed"        // the first call of a run that is not the expected step
	Confused     = "confusions"     // an intent for which no right tool was picked
	Mutated      = "mutations"      // a mutation of a description that changed a pick
	Thrashed     = "thrashed"       // calls that go back to a tool with nothing new
	Looped       = "looped"         // calls equal to an earlier call that failed
	Redone       = "redone"         // calls in the second half of a run that repeat earlier calls
	Retried      = "retried"        // calls equal to the call just before, which returned an error
	GaveUp       = "gave_up"        // failed calls that end a run
	Broken       = "broken"         // an edge that did not hold
	Unproven     = "claimed_absent" // a claim of an answer that no call supports
	Unclaimed    = "unclaimed"      // calls without a claim
	Mismatched   = "mismatched"     // a value in a claim that no supporting call has
	NotFoundNow  = "lost"           // a tool that an intent found in the base, but no longer finds
	Unfound      = "unfound"        // a tool that none of its intents finds
	Sank         = "sank"           // a tool that an intent finds, but lower than in the base
)

// Kinds lists the kinds of notes in the order of reports.
var Kinds = []Kind{
	{
		Name: Matched, Right: true,
		Fields: []Field{{Key: "class", At: subjectAt}, {Key: "tool", At: textAt, Made: true}, {Key: "runs", At: runsAt}, moreRuns},
	},
	{
		Name:   Missed,
		Fields: []Field{{Key: "class", At: subjectAt}, {Key: "runs", At: runsAt}, moreRuns, {Key: "line", At: lineAt}, {Key: "members", At: membersAt, Optional: true}},
		Line:   "missed class {subject} in {runs}", Aside: "{members} would have counted",
		Title: "missed class", Message: []string{"missed in {runs}", "would have counted: {members}", "called instead: {instead}"},
		Annotate: AsGate, News: NewMissed,
	},
	{
		Name: NotFound,
		Fields: []Field{
			{Key: "class", At: subjectAt}, {Key: "runs", At: runsAt}, moreRuns, {Key: "line", At: lineAt}, {Key: "searches", At: callsAt},
			{Key: "queries", At: queriesAt, Made: true, Optional: true}, {Key: "got", At: membersAt, Made: true, Optional: true},
		},
		Line: "not found: {searched} ({subject}, in {runs})", Noun: "failed search",
		Title: "not found", Message: []string{"{searched}", "in {runs}"}, Annotate: AsGateLast,
	},
	{
		Name: NotPicked,
		Fields: []Field{
			{Key: "class", At: subjectAt}, {Key: "runs", At: runsAt}, moreRuns, {Key: "line", At: lineAt}, {Key: "rank", At: callAt, Optional: true}, {Key: "how", At: textAt},
			{Key: "called", At: membersAt, Made: true, Optional: true},
		},
		Line: "{found}, not picked: {called} ({subject}, in {runs})", Noun: "failed pick",
		Title: "found, not picked", Message: []string{"{found}, {called}", "in {runs}"}, Annotate: AsGateLast,
	},
	onCalls(Unexpected, "unexpected tool {subject}", "unexpected tool", calledIn, AsGate, NewUnexpected),
	onCalls(Chosen, "chose distractor {subject}", "distractor chosen", calledIn, AsGateLast, NewUnexpected),
	onCalls(Unrecovered, "unrecovered error: {subject}", "unrecovered error",
		"returned an error {times} in {runs}, and no later call recovered from it", AsGateLast, NoNews),
	onCalls(Invalid, "invalid arguments: {subject}", "invalid arguments",
		"called {times} in {runs} with arguments that its schema refuses", AsGateLast, NoNews),
	onCalls(Hallucinated, "tool that was not offered: {subject}", "hallucinated tool", calledIn, AsGateLast, NewUnexpected),
	onCalls(Restricted, "restricted tool {subject}", "restricted call", calledIn, AsGate, NewUnexpected),
	onCalls(Outside, "tool that is not allowed: {subject}", "tool that is not allowed", calledIn, AsGateLast, NewUnexpected),
	{
		Name: Undelegated, Fields: []Field{{Key: "delegation", At: subjectAt}},
		Line: "missing delegation {subject}", Noun: "delegation",
		Title: "missing delegation", Message: []string{"no run has it"}, Annotate: AsGateLast,
	},
	{
		Name: Strayed,
		Fields: []Field{
			{Key: "expected", At: subjectAt}, {Key: "call", At: callAt}, {Key: "found", At: textAt, Made: true}, {Key: "runs", At: runsAt}, moreRuns,
		},
		Line: "off the path at call {position}: expected {subject}, found {text}, in {runs}", Noun: "departure",
		Title: "off the path, expected", Message: []string{"at call {position} found {text}, in {runs}"}, Annotate: AsGate,
	},
	onCalls(Wasted, "beside the shortest way: {subject}", "wasted calls",
		"called {times} beside the shortest way, in {runs}", AsGateLast, NoNews),
	onCalls(Repeated, "repeated: {subject}", "repeated calls",
		"called {times} right after an equal call, in {runs}", AsGateLast, NoNews),
	onCalls(Backtracked, "made before: {subject}", "backtracks",
		"called {times} with the arguments of an earlier call, in {runs}", AsGateLast, NoNews),
	{
		Name: Confused,
		Fields: []Field{
			{Key: "intent", At: subjectAt, Made: true}, {Key: "gold", At: membersAt}, {Key: "picked", At: textAt, Made: true},
		},
		Line: "picked {text} for {quoted}, expected {either}", Noun: "wrong pick",
		Title: "confused intent", Message: []string{"picked {text}, expected {either}"}, Annotate: AsGateLast,
	},
	{
		Name: Mutated,
		Fields: []Field{
			{Key: "tool", At: subjectAt}, {Key: "kind", At: textAt}, {Key: "accuracy", At: figureAt}, {Key: "drop", At: dropAt},
			{Key: "flipped", At: callsAt},
		},
		Line: "{text} of {subject}: accuracy {figure}, {picks} changed", Noun: "effective mutation",
		Title: "description that decides picks", Message: []string{"{text}: accuracy {figure}, {picks} changed"}, Annotate: NoticeWhenFailing,
	},
	onCalls(Thrashed, "back to {subject} with nothing new", "back and forth",
		"called {times} right after another tool, with arguments seen before, in {runs}", NoticeWhenFailing, NoNews),
	onCalls(Looped, "failed call repeated: {subject}", "failed call repeated",
		"called {times} with arguments that had failed before, in {runs}", NoticeWhenFailing, NoNews),
	onCalls(Redone, "call made before: {subject}", "call made before",
		"called {times} with the arguments of an earlier call, in the second half of {runs}", NoticeWhenFailing, NoNews),
	onCalls(Retried, "retried as before: {subject}", "identical retry",
		"called {times} right after an equal call that returned an error, in {runs}", AsGateLast, NoNews),
	{
		Name: GaveUp, Fields: tallied,
		Line: "gave up after an error: {subject}, in {runs}", Noun: "tool",
		Title: "gave up after an error", Message: []string{"ended {runs} with an error"}, Annotate: AsGateLast,
	},
	{
		Name:   Broken,
		Fields: []Field{{Key: "edge", At: subjectAt}, {Key: "runs", At: runsAt}, moreRuns, {Key: "line", At: lineAt}, {Key: "first", At: textAt, Made: true}},
		Line:   "broken edge {subject} in {runs}: {text}", Noun: "edge",
		Title: "broken edge", Message: []string{"broken in {runs}", "{text}"}, Annotate: AsGate,
	},
	{
		Name:   Unproven,
		Fields: []Field{{Key: "claim", At: subjectAt, Made: true}, {Key: "verb", At: textAt}, {Key: "claims", At: callsAt}, {Key: "runs", At: runsAt}, moreRuns},
		Line:   "claim without a call: {quoted}, in {runs}", Noun: "claim",
		Title: "claim without a call", Message: []string{"claimed in {runs}, and no successful call there bears out the verb {text}"}, Annotate: AsGateLast,
	},
	onCalls(Unclaimed, "call without a claim: {subject}", "call without a claim",
		"called {times} in {runs}, and no answer claims it", NoticeWhenFailing, NoNews),
	{
		Name:   Mismatched,
		Fields: []Field{{Key: "value", At: subjectAt, Made: true}, {Key: "claim", At: textAt, Made: true}, {Key: "claims", At: callsAt}, {Key: "runs", At: runsAt}, moreRuns},
		Line:   "value of a claim in no call: {quoted}, in {runs}", Noun: "value",
		Title: "value of a claim in no call", Message: []string{"claimed in {runs}", "{text}"}, Annotate: NoticeWhenFailing,
	},
	{
		Name: NotFoundNow, Fields: found,
		Line: "{subject} is not found by {query} any more: was {was}, {rank} under {search}", Aside: "behind {members}", Noun: "tool",
		Title: "no longer found", Message: []string{"not found by {query} any more: was {was}, {rank} under {search}", "behind: {members}", "lost: {intents}"}, Annotate: AsGate,
	},
	{
		Name: Unfound, Fields: found,
		Line: "{subject} is not found ({intents} tried): for {query} it {rank} under {search}", Aside: "behind {members}", Noun: "tool",
		Title: "found by no search", Message: []string{"not found ({intents} tried): for {query} it {rank} under {search}", "behind: {members}"}, Annotate: AsGateLast,
	},
	{
		Name: Sank, Fields: found,
		Line: "{subject} is found lower by {query}: was {was}, {rank} under {search}", Noun: "tool",
		Title: "found lower", Message: []string{"found lower by {query}: was {was}, {rank} under {search}"}, Annotate: NoticeWhenFailing,
	},
}

// found has the fields of notes on a tool in a search.
var found = []Field{
	{Key: "tool", At: subjectAt}, {Key: "intent", At: textAt, Made: true}, {Key: "search", At: searchAt},
	{Key: "was", At: wasAt, Optional: true}, {Key: "rank", At: rankAt, Optional: true}, {Key: "intents", At: callsAt},
	{Key: "behind", At: membersAt, Optional: true}, {Key: "path", At: pathAt}, {Key: "line", At: lineAt},
}

// moreRuns is the field for the number of a note's runs that are not listed.
var moreRuns = Field{Key: "more_runs", At: moreRunsAt, Optional: true}

// tallied has the fields of notes on calls to a tool.
var tallied = []Field{{Key: "tool", At: subjectAt, Made: true}, {Key: "calls", At: callsAt}, {Key: "runs", At: runsAt}, moreRuns}

const calledIn = "called {times} in {runs}"

// onCalls returns a kind of notes on calls to a tool. line is the beginning of a line about such a note.
func onCalls(name, line, title, message string, annotate Annotate, news News) Kind {
	return Kind{
		Name: name, Fields: tallied, Line: line + ": {calls}, in {runs}", Noun: "tool",
		Title: title, Message: []string{message}, Annotate: annotate, News: news,
	}
}

func subjectAt(n *Note) any  { return &n.Subject }
func textAt(n *Note) any     { return &n.Text }
func lineAt(n *Note) any     { return &n.Line }
func pathAt(n *Note) any     { return &n.Path }
func searchAt(n *Note) any   { return &n.Search }
func rankAt(n *Note) any     { return &n.Rank }
func wasAt(n *Note) any      { return &n.Was }
func runsAt(n *Note) any     { return &n.Runs }
func moreRunsAt(n *Note) any { return &n.MoreRuns }
func callAt(n *Note) any     { return &n.Call }
func callsAt(n *Note) any    { return &n.Calls }
func membersAt(n *Note) any  { return &n.Members }
func queriesAt(n *Note) any  { return &n.Queries }
func figureAt(n *Note) any   { return &n.Figure }
func dropAt(n *Note) any     { return &n.Drop }
