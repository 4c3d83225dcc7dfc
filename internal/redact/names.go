package redact

import (
	"slices"
	"strings"
)

// secretWords end the names of keys whose values are secret: "token" ends access_token, AccessToken and authtoken.
var secretWords = []string{
	"password", "passwd", "passphrase", "secret", "token", "authorization", "cookie", "credential", "credentials",
	"apikey", "privatekey", "secretkey", "accesskey", "authkey", "signingkey", "encryptionkey", "masterkey", "sharedkey",
	"accountkey", "subscriptionkey",
}

// secretParts end names of secrets only as a separate part: "key" ends api_key and X-Api-Key, but not monkey.
var secretParts = []string{"key", "pwd", "pass"}

// spacedKeys are words before "key" in a name with a blank, such as "API key".
var spacedKeys = []string{"api", "private", "secret", "access", "auth"}

// plainNames end like names of secrets but are not secret: they name rows of tables, pages of lists and places in
// trackers.
var plainNames = []string{
	"public_key", "primary_key", "foreign_key", "partition_key", "sort_key", "issue_key", "project_key",
	"page_token", "next_token", "continuation_token",
}

// maxName is the length in bytes of the part of a key's name that is read: the end of the name decides.
const maxName = 80

// endings holds the last two letters of all names of secrets, by their lowest five bits, which capital and small
// letters share.
var endings = func() (pairs [32][32]bool) {
	for _, word := range slices.Concat(secretWords, secretParts) {
		n := len(word)
		pairs[word[n-2]%32][word[n-1]%32] = true
	}
	return pairs
}()

// mayEndSecret reports whether the name that ends at a place may be the name of a secret. It rules out most names
// quickly.
func (r *Rules) mayEndSecret(text string, end int) bool {
	return len(r.keys) > 0 && end > 0 || end > 1 && endings[text[end-2]%32][text[end-1]%32]
}

func (r *Rules) isSecretName(name string) bool {
	if !r.mayEndSecret(name, len(name)) {
		return false
	}
	name = name[max(0, len(name)-maxName):]
	if !endsSecret(name) && len(r.keys) == 0 {
		return false
	}
	normal := normalName(name)
	if slices.Contains(r.allowedKeys, normal) {
		return false
	}
	isEnd := func(key string) bool { return hasLastPart(normal, key) }
	isPlain := slices.ContainsFunc(plainNames, isEnd)
	return slices.ContainsFunc(r.keys, isEnd) || endsSecret(name) && !isPlain
}

func endsSecret(name string) bool {
	for _, word := range secretWords {
		if hasSuffixFold(name, word) {
			return true
		}
	}
	for _, part := range secretParts {
		if hasSuffixFold(name, part) && startsPart(name[:len(name)-len(part)]) {
			return true
		}
	}
	return false
}

func startsPart(before string) bool {
	if before == "" {
		return false
	}
	switch before[len(before)-1] {
	case '_', '-':
		return true
	case ' ':
		return slices.ContainsFunc(spacedKeys, func(word string) bool { return hasSuffixFold(before[:len(before)-1], word) })
	}
	return false
}

func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-1]|0x20 == suffix[len(suffix)-1] && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// hasLastPart reports whether a normal name equals last, or ends with last after an underscore.
func hasLastPart(name, last string) bool {
	before, ok := strings.CutSuffix(name, last)
	return ok && (before == "" || strings.HasSuffix(before, "_"))
}

// normalName returns a name in lower case with underscores between its parts: card_pin for cardPin, Card-PIN and "card
// pin".
func normalName(name string) string {
	var b strings.Builder
	for i, c := range []byte(name) {
		switch {
		case c == '-' || c == ' ' || c == '.':
			c = '_'
		case c >= 'A' && c <= 'Z':
			if i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z' {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return strings.Trim(b.String(), "_")
}
