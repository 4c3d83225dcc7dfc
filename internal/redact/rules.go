package redact

import "slices"

// Rule is one kind of secret.
type Rule struct {
	ID   string // the id in placeholders
	What string // the kind of secret that the rule finds, in a few words
	Doc  string // Markdown: the texts that count as secrets

	anchors []string // texts at whose places match is called
	fold    bool     // anchors are in lower case, and also match upper case
	match   matcher
	order   int // index of the rule in All
}

// maxRules is the greatest length of All.
const maxRules = 24

// The ids of the rules that need to know [Config].
const (
	envID     = "env"
	patternID = "pattern"
	keyID     = "key"
)

// All lists the rules. If several rules find the same text, the first of them names it.
var All = []*Rule{
	{ID: envID, What: "a value of the environment",
		Doc: "a value, of 4 bytes or more, of an environment variable that the suite reads, [also encoded](#values-of-the-environment)"},
	{ID: patternID, What: "what a pattern of the suite's matches",
		Doc: "the match of an expression in `redact: {patterns: …}`, or of the first group, if there is one"},
	{ID: "pem", What: "a PEM block",
		Doc: "PEM blocks: from `-----BEGIN …-----` to `-----END …-----`, over lines or with `\\n` between them; if the beginning " +
			"or the end is cut off, only the body",
		anchors: []string{pemBegin, dashes + "END "}, match: matchPEM},
	{ID: "jwt", What: "a JSON Web Token",
		Doc:     "JSON Web Tokens: `eyJ…`, with three parts or more",
		anchors: []string{"eyJ"}, match: matchJWT},
	{ID: "github", What: "a GitHub token",
		Doc:     "GitHub tokens: `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`, `github_pat_`",
		anchors: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, match: prefixed(wordBytes)},
	{ID: "gitlab", What: "a GitLab token",
		Doc:     "GitLab tokens: `glpat-`",
		anchors: []string{"glpat-"}, match: prefixed(nameBytes)},
	{ID: "slack", What: "a Slack token",
		Doc:     "Slack tokens: `xoxa-`, `xoxb-`, `xoxp-`, `xoxr-`, `xoxs-`, `xapp-`",
		anchors: []string{"xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xapp-"}, match: prefixed(nameBytes)},
	{ID: "aws", What: "an AWS access key id",
		Doc:     "AWS access key ids: `AKIA` or `ASIA`, then capitals and digits",
		anchors: []string{"AKIA", "ASIA"}, match: prefixed(capitalBytes)},
	{ID: "google", What: "a Google key or token",
		Doc:     "Google keys and tokens: `AIza`, `ya29.`",
		anchors: []string{"AIza", "ya29."}, match: prefixed(dottedBytes)},
	{ID: "npm", What: "an npm token",
		Doc:     "npm tokens: `npm_` without a second underscore",
		anchors: []string{"npm_"}, match: prefixed(alnumBytes)},
	{ID: "huggingface", What: "a Hugging Face token",
		Doc:     "Hugging Face tokens: `hf_` without a second underscore",
		anchors: []string{"hf_"}, match: prefixed(alnumBytes)},
	{ID: "sk", What: "a secret key",
		Doc:     "secret keys: `sk-` (OpenAI, Anthropic and others), `sk_live_`, `sk_test_`, `rk_live_`, `rk_test_` (Stripe)",
		anchors: []string{"sk-", "sk_live_", "sk_test_", "rk_live_", "rk_test_"}, match: prefixed(nameBytes)},
	{ID: "pk", What: "a project key",
		Doc:     "project and publishable keys: `pk-`, `pk_live_`, `pk_test_`",
		anchors: []string{"pk-", "pk_live_", "pk_test_"}, match: prefixed(nameBytes)},
	{ID: "bearer", What: "a bearer token",
		Doc:     "the text after `Bearer`, unless it is plain words",
		anchors: []string{"bearer"}, fold: true, match: matchBearer},
	{ID: "url", What: "user information in a URL",
		Doc:     "user information in URLs: `USER:PASSWORD` of `scheme://USER:PASSWORD@host`; the user `git` alone stays",
		anchors: []string{":/", `:\`}, match: matchUserinfo},
	{ID: keyID, What: "the value of a key with the name of a secret",
		Doc:     "values under [sensitive keys](#keys), in JSON and in text",
		anchors: []string{"=", ":", "--"}, match: matchKey},
	// No rule finds strings that merely look random, because commit hashes, UUIDs and checksums look random, too.
}

func (d *dispatch) addShapes(rules []*Rule) {
	d.rules = make([]Rule, len(rules))
	for i, rule := range rules {
		d.rules[i] = *rule
		own := &d.rules[i]
		own.order = i
		for _, anchor := range own.anchors {
			d.addProbe(probe{anchor: anchor, fold: own.fold, rule: own, match: own.match})
		}
	}
	d.hot['['] = true // where placeholders begin
}

func (d *dispatch) ruleByID(id string) *Rule {
	return &d.rules[slices.IndexFunc(d.rules, func(r Rule) bool { return r.ID == id })]
}

// What describes in a few words the secrets that the rule with an id finds; "" for an unknown id.
func What(id string) string {
	for _, rule := range All {
		if rule.ID == id {
			return rule.What
		}
	}
	return ""
}
