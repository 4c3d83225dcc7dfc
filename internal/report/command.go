package report

import (
	"regexp"
	"strings"
	"unicode"
)

// command is a command line that people paste into a shell.
type command struct {
	words   []string
	refused bool // a word cannot be quoted so that all shells read it in the same way
}

// maxCommand bounds a command line, in bytes: people should be able to read it before they paste it.
const maxCommand = 2_000

func (c *command) commandLine() (string, bool) {
	line := strings.Join(c.words, " ")
	return line, !c.refused && len(line) <= maxCommand
}

func (c *command) add(words ...string) { c.words = append(c.words, words...) }

func (c *command) addValue(flag, value string) {
	if value != "" {
		c.words = append(c.words, flag, c.shellWord(value))
	}
}

// addPath adds a path in a form that no program takes for a flag.
func (c *command) addPath(name string) {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	c.words = append(c.words, c.shellWord(name))
}

// addTags adds the flag once for each tag.
func (c *command) addTags(flag string, tags []string) {
	for _, tag := range tags {
		if tag == "" || strings.ContainsAny(tag, `,"`) {
			tag = `"` + strings.ReplaceAll(tag, `"`, `""`) + `"`
		}
		c.words = append(c.words, flag, c.shellWord(tag))
	}
}

// plainWord matches a word that every shell leaves unchanged, and that no program takes for a flag.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./:-]*$`)

func (c *command) shellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return c.quote(text)
}

func (c *command) quote(text string) string {
	c.refused = c.refused || !isQuotable(text)
	return "'" + text + "'"
}

// isQuotable reports whether all kinds of shells read a text in single quotes as one word. Each shell escapes a single quote
// differently, fish has \' within quotes, csh acts on ! within quotes, and PowerShell takes typographic quotes for quotes.
// Invisible characters, and those that change the direction of a line, must not be pasted. An @ would become a mention if a
// comment is quoted in a mail.
func isQuotable(text string) bool {
	for _, r := range text {
		isASCII := r >= ' ' && r <= '~' && r != '\'' && r != '!' && r != '@'
		if !isASCII && !(unicode.IsLetter(r) && unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han, unicode.Hiragana, unicode.Katakana)) {
			return false
		}
	}
	return !strings.HasSuffix(text, `\`)
}
