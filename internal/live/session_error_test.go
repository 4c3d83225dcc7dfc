package live

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/redact"
)

// A secret does not show where a text is cut in the middle of it, nor in lines that are joined or partly dropped.
func TestErrorsHoldNoSecrets(t *testing.T) {
	const env = "correct-horse-battery-staple"
	token := "gh" + "p_" + strings.Repeat("R4nd0m", 6)
	line := strings.Repeat("MIIEvQIBADANBgkqhkiG", 3)
	block := "-----BEGIN PRIV" + "ATE KEY-----\n" + strings.Repeat(line+"\n", 24) + "abc=\n-----END PRIV" + "ATE KEY-----"
	rules, err := redact.New(redact.Config{Values: []string{env}})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{env, token, block} {
		for n := 0; n < 4300; n += 1 + n/100 {
			before := strings.Repeat("why ", n/4) + strings.Repeat("y", n%4) + " "
			texts := map[string]string{
				"standard error": safeText(rules.File(), &ServerError{Op: "x", Err: errors.New("y"), Stderr: linesOf(secret + "\n" + before)}),
				"long line":      safeText(rules.File(), &ServerError{Op: "x", Err: errors.New("y"), Stderr: linesOf(before + secret + " and so on\n")}),
				"line of output": rules.File().Text(quoteStart([]byte(before + secret + " and so on"))),
				"a message":      rules.File().Text(oneLine(before + secret + " and so on")),
				"a provider's":   rules.File().Text((&providerClient{}).printable(before + secret + " and so on")),
				"a name":         rules.File().Text(fmt.Sprintf("%q", clip(before+secret+" and so on"))),
			}
			if n < 50 { // they are long
				texts["a result"] = rules.File().Text(cutText(strings.Repeat("long ", (maxResultText-n)/5) + secret + " and so on"))
			}
			for what, text := range texts {
				for size := 12; size <= len(secret) && size <= 60; size += 12 {
					for _, part := range []string{secret[:size], secret[len(secret)-size:]} {
						if strings.Contains(text, part) && !strings.Contains("-----BEGIN PRIV"+"ATE KEY-----END", part) {
							t.Fatalf("%s, cut after %d bytes, shows %q:\n%.2000s", what, n, part, text)
						}
					}
				}
			}
		}
	}
}

// linesOf returns what is kept of standard error.
func linesOf(text string) []string {
	var kept tail
	_, _ = kept.Write([]byte(text))
	return kept.last()
}
