package recording

import (
	"net/http"
	"strings"

	"github.com/org/mcp-gates/internal/proxy/frame"
	"github.com/org/mcp-gates/internal/redact"
)

// Bounds on the header values that are removed from a recording if a server repeats them.
const (
	minSecret  = 8   // bytes: shorter values occur in texts everywhere
	maxSecrets = 100 // bound for one recording, because a client may send other values with each request
)

// secretsOf returns the secret values of headers: credentials, also without the name of their scheme, each cookie, the
// id of the session, and values of headers with the name of a secret.
func secretsOf(h http.Header) []string {
	var all []string
	for name, values := range h {
		for _, value := range values {
			all = append(all, secretsIn(name, value)...)
		}
	}
	if _, password, ok := (&http.Request{Header: h}).BasicAuth(); ok {
		all = append(all, password)
	}
	long := all[:0]
	for _, secret := range all {
		if secret = strings.Trim(secret, ` "`); len(secret) >= minSecret {
			long = append(long, secret)
		}
	}
	return long
}

func secretsIn(name, value string) []string {
	switch name {
	case "Cookie":
		var all []string
		for pair := range strings.SplitSeq(value, ";") {
			_, secret, _ := strings.Cut(pair, "=")
			all = append(all, secret)
		}
		return all
	case "Set-Cookie":
		pair, _, _ := strings.Cut(value, ";")
		_, secret, _ := strings.Cut(pair, "=")
		return []string{secret}
	case frame.SessionHeader:
		return []string{value}
	}
	if len(redact.EnvironmentSecrets([]string{name + "=" + value})) == 0 {
		return nil
	}
	if _, secret, ok := strings.Cut(value, " "); ok && strings.HasSuffix(name, "Authorization") {
		return []string{value, secret}
	}
	return []string{value}
}
