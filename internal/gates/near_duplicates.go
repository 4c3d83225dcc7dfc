package gates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
)

// variants make names that are easily mistaken for a real name. They are tried in this order. Some return a name unchanged.
var variants = []func(name string) string{
	func(name string) string { return name + "_v2" },
	func(name string) string { return name + "_internal" },
	otherCase,
	otherNumber,
	func(name string) string { return "legacy_" + name },
	func(name string) string { return name + "_beta" },
}

// NearDuplicateKinds returns the largest number of look-alikes of one tool.
func NearDuplicateKinds() int { return len(variants) }

// nearDuplicates returns count look-alikes of the tools: first all look-alikes of the first kind, then those of the second, and so
// on. A look-alike has the server, the description and the schemas of the imitated tool. Its name differs from those of all tools
// in taken, and of all earlier look-alikes, on the same server. If too few names remain, nearDuplicates returns an error.
func nearDuplicates(tools, taken []*catalog.Tool, count int) ([]*catalog.Tool, error) {
	used := map[catalog.Ref]bool{}
	for _, tool := range slices.Concat(taken, tools) {
		used[tool.Ref()] = true
	}
	made := []*catalog.Tool{}
	for _, variant := range variants {
		for _, tool := range tools {
			ref := catalog.Ref{Server: tool.Server, Name: variant(tool.Name)}
			if used[ref] || len(made) == count {
				continue
			}
			used[ref] = true
			made = append(made, imitate(tool, ref.Name))
		}
	}
	if len(made) < count {
		names := strings.Join(lists.Map(tools, func(tool *catalog.Tool) string { return strconv.Quote(tool.Name) }), ", ")
		return nil, fmt.Errorf("%d near duplicates are asked for, but only %d are possible of %s", count, len(made), names)
	}
	return made, nil
}

// imitate returns the tool under another name, and without its title and other data that could reveal the original name.
func imitate(tool *catalog.Tool, name string) *catalog.Tool {
	return &catalog.Tool{
		Server:       tool.Server,
		Name:         name,
		Description:  tool.Description,
		InputSchema:  tool.InputSchema,
		OutputSchema: tool.OutputSchema,
		Annotations:  tool.Annotations,
	}
}

// otherCase turns snake_case into camelCase, and camelCase and PascalCase into snake_case.
func otherCase(name string) string {
	if strings.Contains(name, "_") {
		return camelCase(name)
	}
	return snakeCase(name)
}

func camelCase(name string) string {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' })
	if len(parts) == 0 {
		return name // the name has only underscores
	}
	for i, part := range parts[1:] {
		letters := []rune(part)
		letters[0] = unicode.ToUpper(letters[0])
		parts[i+1] = string(letters)
	}
	return strings.Join(parts, "")
}

// snakeCase puts an underscore before a capital that follows a small letter or a digit, or that begins a word after an
// acronym: listS3Buckets is list_s3_buckets, HTTPServer is http_server.
func snakeCase(name string) string {
	letters := []rune(name)
	var b strings.Builder
	for i, r := range letters {
		if i > 0 && unicode.IsUpper(r) && beginsWord(letters, i) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// beginsWord reports whether the capital at i, which is not the first letter, begins a word.
func beginsWord(letters []rune, i int) bool {
	before := letters[i-1]
	if unicode.IsLower(before) || unicode.IsDigit(before) {
		return true
	}
	return unicode.IsUpper(before) && i+1 < len(letters) && unicode.IsLower(letters[i+1])
}

// otherNumber turns a singular into a plural, and a plural into a singular. It looks only at the end of the name.
func otherNumber(name string) string {
	if isPlural(name) {
		return singular(name)
	}
	return plural(name)
}

// isPlural reports whether a name looks like a plural: it has more than two characters and ends in an s that does not follow s, u
// or i (class, status, analysis).
func isPlural(name string) bool {
	return len([]rune(name)) > 2 && endsIn(name, "s") && !endsIn(name, "ss", "us", "is")
}

// plural appends s. After s, x, z, ch and sh, it appends es. It replaces a final y after a consonant with ies.
func plural(name string) string {
	if endsIn(name, "s", "x", "z", "ch", "sh") {
		return name + "es"
	}
	letters := []rune(name)
	if n := len(letters); n > 1 && endsIn(name, "y") && isConsonant(letters[n-2]) {
		return string(letters[:n-1]) + "ies"
	}
	return name + "s"
}

// singular returns the singular of a name, as far as the spelling shows it: it replaces ies with y, removes es after ss, x, zz, ch
// and sh, and otherwise removes only the s (databases, sizes).
func singular(name string) string {
	switch {
	case endsIn(name, "ies"):
		return name[:len(name)-len("ies")] + "y"
	case endsIn(name, "sses", "xes", "zzes", "ches", "shes"):
		return name[:len(name)-len("es")]
	}
	return name[:len(name)-len("s")]
}

// endsIn reports whether name ends in one of the ASCII endings, ignoring case.
func endsIn(name string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(end string) bool {
		return len(name) >= len(end) && strings.EqualFold(name[len(name)-len(end):], end)
	})
}

func isConsonant(r rune) bool {
	return unicode.IsLetter(r) && !strings.ContainsRune("aeiou", unicode.ToLower(r))
}
