package mcpclient

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/thorough"
)

// No piece of a secret shows where a text is cut in the middle of it, wherever that is and however it is spelled, nor in
// lines that are joined or partly dropped.
func TestErrorsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	const words = "correct horse battery staple by Jove"
	lines := "first line of it, and\nthe second, and " + strings.Repeat("\nnumbered line", 30)
	token := "gh" + "p_" + strings.Repeat("R4nd0m", 6)
	block := "-----BEGIN PRIV" + "ATE KEY-----\n" + strings.Repeat(strings.Repeat("MIIEvQIBADANBgkqhkiG", 3)+"\n", 24) + "abc=\n-----END PRIV" + "ATE KEY-----"
	rules, err := redact.New(redact.Config{Values: []string{"correct-horse-battery-staple", words, lines}})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{
		"correct-horse-battery-staple", words, url.PathEscape(words), url.QueryEscape(words), lines, token, block,
		base64.StdEncoding.EncodeToString([]byte("it is " + words)),
	} {
		for n := 0; n < 4300; n += 1 + n/thorough.Size(3, 30) {
			before := strings.Repeat("why ", n/4) + strings.Repeat("y", n%4) + " "
			for what, text := range shortened(rules, before, secret) {
				if piece := pieceOf(secret, text); piece != "" {
					t.Fatalf("%s, cut after %d bytes, shows %q of %q:\n%.2000s", what, n, piece, secret, text)
				}
			}
		}
	}
}

// shortened returns what is shown of a secret behind some words, wherever such a text is shortened.
func shortened(rules *redact.Rules, before, secret string) map[string]string {
	cut := cutter{rules}
	show := func(text string) string { return rules.File().Text(text) }
	text := before + secret + " and so on"
	texts := map[string]string{
		"standard error":  SafeText(rules.File(), &Error{Op: "x", Err: errors.New("y"), Stderr: linesOf(rules, secret+"\n"+before)}),
		"many lines":      SafeText(rules.File(), &Error{Op: "x", Err: errors.New("y"), Stderr: linesOf(rules, secret+strings.Repeat("\n", len(before))+"z\nz")}),
		"long line":       SafeText(rules.File(), &Error{Op: "x", Err: errors.New("y"), Stderr: linesOf(rules, text+"\n")}),
		"line of output":  show(cut.quoteStart([]byte(text))),
		"a message":       show(cut.oneLine(text)),
		"a first line":    show(cut.oneLine(cut.firstLine(text))),
		"a name":          show(fmt.Sprintf("%q", rules.Shorten(text, maxQuoted))),
		"an agent's last": show(rules.Head(text, text[:min(len(text), len(before)+12)])),
	}
	if len(before) == 1 || len(before) == 100 || thorough.Asked() && len(before) < 8 { // they are long
		many := before + strings.Repeat(secret+"\n", 2*maxStderr/len(secret))
		texts["many secrets"] = SafeText(rules.File(), &Error{Op: "x", Err: errors.New("y"), Stderr: linesOf(rules, many)})
		long := strings.Repeat("long ", (maxResultText-len(before))/5) + secret + " and so on"
		texts["a result"] = show(cut.resultText(long, 0))
		result, _ := readResult([]byte(`{"structuredContent":`+string(quotedJSON(long))+`}`), cut)
		texts["a structured result"] = show(result.Text)
	}
	return texts
}

func quotedJSON(text string) []byte {
	quoted, _ := json.Marshal(text)
	return quoted
}

// pieceOf returns a piece of a secret that a text has, of 8 characters and no words of these tests.
func pieceOf(secret, text string) string {
	for at := 0; at+8 <= len(secret); at++ {
		piece := secret[at : at+8]
		if strings.Contains(text, piece) && !strings.Contains("-----BEGIN PRIV"+"ATE KEY----- -----END PRIV"+"ATE KEY-----", piece) {
			return piece
		}
	}
	return ""
}

// linesOf returns what is kept of standard error.
func linesOf(rules *redact.Rules, text string) []string {
	kept := tail{rules: rules}
	_, _ = kept.Write([]byte(text))
	return kept.last()
}
