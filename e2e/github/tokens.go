package github

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Token is a token by which a client authenticates.
type Token struct {
	Value string
	// Login is the name of the token's user. Bot is true if the user is an app. With the token of an app, such as a workflow's
	// own token, a client may not ask for the user.
	Login string
	Bot   bool
	// Permissions maps the names that a workflow uses, such as "checks", to "read" or "write". A public repository can be read
	// without permissions.
	Permissions map[string]string
}

// ActionsToken returns the token of a workflow with permissions such as "checks: write".
func ActionsToken(value string, permissions ...string) Token {
	t := Token{Value: value, Login: "github-actions[bot]", Bot: true, Permissions: map[string]string{}}
	for _, p := range permissions {
		name, level, _ := strings.Cut(p, ": ")
		t.Permissions[name] = level
	}
	return t
}

// Allow adds a token that the server accepts.
func (s *Server) Allow(t Token) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens[t.Value] = t
}

// permission is a permission that an operation needs; the zero value for none.
type permission struct{ scope, level string }

var (
	nobody       = permission{}
	readChecks   = permission{"checks", "read"}
	writeChecks  = permission{"checks", "write"}
	readPulls    = permission{"pull-requests", "read"}
	writePulls   = permission{"pull-requests", "write"}
	readContents = permission{"contents", "read"}
)

// authenticate finds the token of the request. It refuses a request without a known token, and reports whether there is one.
func (c *call) authenticate() bool {
	value, ok := strings.CutPrefix(c.r.Header.Get("Authorization"), "Bearer ")
	token, known := c.tokens[value]
	switch {
	case !ok:
		c.problem("%s %s: no token", c.r.Method, c.r.URL.Path)
		c.refuse(http.StatusUnauthorized, "Requires authentication")
	case !known:
		c.refuse(http.StatusUnauthorized, "Bad credentials")
	default:
		c.token = token
		return true
	}
	return false
}

const notAccessible = "Resource not accessible by integration"

func (c *call) permitted() bool {
	needs := c.op.needs
	has := c.token.Permissions[needs.scope]
	switch {
	case needs == nobody || has == "write" || has == needs.level:
		return true
	case needs.level == "read" && !c.config.Private:
		return true
	case needs.scope == "checks" && !c.token.Bot:
		c.refuse(http.StatusForbidden, "You must authenticate via a GitHub App.")
		return false
	}
	c.w.Header().Set("X-Accepted-GitHub-Permissions", strings.ReplaceAll(needs.scope, "-", "_")+"="+needs.level)
	c.refuse(http.StatusForbidden, notAccessible)
	return false
}

func (c *call) getUser() {
	if c.token.Bot {
		c.refuse(http.StatusForbidden, notAccessible)
		return
	}
	c.answer(http.StatusOK, c.user())
}

// user describes the token's own user.
func (c *call) user() map[string]any { return userOf(c.token.Login, c.token.Bot) }

func userOf(login string, bot bool) map[string]any {
	kind := "User"
	if bot {
		kind = "Bot"
	}
	return map[string]any{"login": login, "id": 41898282, "type": kind, "site_admin": false}
}

// graphQL answers the only query that the program sends to the GraphQL API. GitHub publishes no OpenAPI description of this API.
func (c *call) graphQL() {
	var body struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	if err := json.Unmarshal(c.body, &body); err != nil {
		c.refuse(http.StatusBadRequest, "Problems parsing JSON")
		return
	}
	if strings.Join(strings.Fields(body.Query), "") != "query{viewer{login}}" {
		c.problem("graphql: unknown query %q", body.Query)
		c.answer(http.StatusOK, map[string]any{"errors": []any{map[string]any{"message": "unknown query"}}})
		return
	}
	c.answer(http.StatusOK, map[string]any{"data": map[string]any{"viewer": map[string]any{"login": c.token.Login}}})
}
