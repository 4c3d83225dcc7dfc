package redact

import "slices"

// Rule is one kind of secret.
type Rule struct {
	ID  string // as placeholders have it
	Doc string // Markdown: what it takes for a secret

	anchors []string // what must stand at a place for match to look at it
	fold    bool     // anchors are in lower case, and stand for upper case too
	match   matcher
	order   int // in All
}

// maxRules bounds the length of All.
const maxRules = 24

// The ids of the rules that need to know [Config].
const (
	envID     = "env"
	patternID = "pattern"
	keyID     = "key"
)

// All lists the rules. Where two find the same text, the one that stands first names it.
var All = []*Rule{
	{ID: envID, Doc: "a value of an environment variable that the suite reads, of 4 bytes or more; also where it is escaped as " +
		"in JSON, URLs and HTML, or encoded in Base64"},
	{ID: patternID, Doc: "what an expression of `redact: {patterns: …}` matches: its first group, or all of it when it has none"},
	{ID: "pem", Doc: "PEM blocks: from `-----BEGIN …-----` to `-----END …-----`, over lines or with `\\n` between them; the body alone " +
		"where the end is cut off",
		anchors: []string{"-----BEGIN "}, match: matchPEM},
	{ID: "jwt", Doc: "JSON Web Tokens: `eyJ…` in three parts or more",
		anchors: []string{"eyJ"}, match: matchJWT},
	{ID: "github", Doc: "GitHub tokens: `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`, `github_pat_`",
		anchors: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, match: prefixed(wordBytes)},
	{ID: "gitlab", Doc: "GitLab tokens: `glpat-`",
		anchors: []string{"glpat-"}, match: prefixed(nameBytes)},
	{ID: "slack", Doc: "Slack tokens: `xoxa-`, `xoxb-`, `xoxp-`, `xoxr-`, `xoxs-`, `xapp-`",
		anchors: []string{"xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xapp-"}, match: prefixed(nameBytes)},
	{ID: "aws", Doc: "AWS access key ids: `AKIA`, `ASIA` and capitals and digits",
		anchors: []string{"AKIA", "ASIA"}, match: prefixed(capitalBytes)},
	{ID: "google", Doc: "Google keys and tokens: `AIza`, `ya29.`",
		anchors: []string{"AIza", "ya29."}, match: prefixed(dottedBytes)},
	{ID: "npm", Doc: "npm tokens: `npm_`, without another underscore",
		anchors: []string{"npm_"}, match: prefixed(alnumBytes)},
	{ID: "huggingface", Doc: "Hugging Face tokens: `hf_`, without another underscore",
		anchors: []string{"hf_"}, match: prefixed(alnumBytes)},
	{ID: "sk", Doc: "secret keys: `sk-` (OpenAI, Anthropic and others), `sk_live_`, `sk_test_`, `rk_live_`, `rk_test_` (Stripe)",
		anchors: []string{"sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_"}, match: prefixed(nameBytes)},
	{ID: "pk", Doc: "project and publishable keys: `pk-`, `pk_live_`, `pk_test_`",
		anchors: []string{"pk-", "pk_live_", "pk_test_"}, match: prefixed(nameBytes)},
	{ID: "bearer", Doc: "what follows `Bearer`, but no plain words",
		anchors: []string{"bearer"}, fold: true, match: matchBearer},
	{ID: "url", Doc: "user information in URLs: `USER:PASSWORD` of `scheme://USER:PASSWORD@host`; a bare `git` stays",
		anchors: []string{":/", `:\`}, match: matchUserinfo},
	{ID: keyID, Doc: "values under telling keys, in JSON and in text; [see below](#keys)",
		anchors: []string{"=", ":", "--"}, match: matchKey},
	// Strings that merely look random are no rule: commit hashes, UUIDs and checksums do.
}

// shapes sets up the search for all rules that need no configuration.
func (d *dispatch) shapes() {
	d.rules = make([]Rule, len(All))
	for i, rule := range All {
		d.rules[i] = *rule
		own := &d.rules[i]
		own.order = i
		for _, anchor := range own.anchors {
			d.add(probe{anchor: anchor, fold: own.fold, rule: own, match: own.match})
		}
	}
	d.hot['['] = true // where placeholders begin
}

// rule returns the rule with the id of one in All.
func (d *dispatch) rule(id string) *Rule {
	return &d.rules[slices.IndexFunc(d.rules, func(r Rule) bool { return r.ID == id })]
}
