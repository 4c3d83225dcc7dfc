package locate

import (
	"path"
	"strings"
)

// syntax describes the strings and comments of a language.
type syntax struct {
	line       []string  // marks that begin a comment up to the end of the line
	block      [2]string // marks that begin and end another comment; "" for none
	quotes     string    // marks that begin and end a string
	long       string    // the marks of quotes that may enclose line breaks
	raw        string    // the marks of quotes that enclose no escapes
	triple     bool      // three quotes begin a string that may hold line breaks
	characters bool      // a single quote encloses one character
	joins      string    // an operator that joins strings
	holes      string    // the mark of an inserted value in a string; it ends with a bracket
	dollars    bool      // $name inserts a value, too
	prefixes   bool      // letters before a string mark it as raw (r) or as inserting values in braces (f)
	regexps    bool      // there are regular expressions between slashes
	here       string    // the mark of a text up to a line with a word: << or <<<; "" for none
}

var (
	cBlock = [2]string{"/*", "*/"}
	slash  = []string{"//"}
	hash   = []string{"#"}

	script  = syntax{line: slash, block: cBlock, quotes: "\"'`", long: "`", joins: "+", holes: "${", regexps: true}
	python  = syntax{line: hash, quotes: `"'`, triple: true, joins: "+", prefixes: true}
	golang  = syntax{line: slash, block: cBlock, quotes: "\"`", long: "`", raw: "`", characters: true, joins: "+"}
	rust    = syntax{line: slash, block: cBlock, quotes: `"`, long: `"`, characters: true, joins: "+"}
	typed   = syntax{line: slash, block: cBlock, quotes: `"`, triple: true, characters: true, joins: "+"}
	kotlin  = syntax{line: slash, block: cBlock, quotes: `"`, triple: true, characters: true, joins: "+", holes: "${", dollars: true}
	swift   = syntax{line: slash, block: cBlock, quotes: `"`, triple: true, joins: "+", holes: `\(`}
	dart    = syntax{line: slash, block: cBlock, quotes: `"'`, triple: true, joins: "+", holes: "${", dollars: true}
	ruby    = syntax{line: hash, quotes: `"'`, long: `"'`, joins: "+", holes: "#{", here: "<<"}
	elixir  = syntax{line: hash, quotes: `"`, long: `"`, triple: true, joins: "<>", holes: "#{"}
	php     = syntax{line: []string{"//", "#"}, block: cBlock, quotes: `"'`, long: `"'`, joins: ".", holes: "{$", here: "<<<"}
	lua     = syntax{line: []string{"--"}, quotes: `"'`, joins: ".."}
	data    = syntax{quotes: `"`}
	unknown = syntax{line: slash, block: cBlock, quotes: "\"'`", long: "`", joins: "+"}
)

// syntaxes holds the syntax of files by file ending.
var syntaxes = map[string]*syntax{
	".js": &script, ".mjs": &script, ".cjs": &script, ".jsx": &script, ".ts": &script, ".mts": &script, ".cts": &script, ".tsx": &script,
	".py": &python, ".pyi": &python, ".toml": &python, ".bzl": &python,
	".go": &golang, ".rs": &rust,
	".java": &typed, ".cs": &typed, ".c": &typed, ".cc": &typed, ".cpp": &typed, ".h": &typed, ".hpp": &typed, ".zig": &typed,
	".kt": &kotlin, ".kts": &kotlin, ".scala": &kotlin, ".swift": &swift, ".dart": &dart, ".groovy": &dart,
	".rb": &ruby, ".ex": &elixir, ".exs": &elixir, ".php": &php, ".lua": &lua,
	".json": &data, ".jsonl": &data, ".ndjson": &data, ".json5": &unknown, ".jsonc": &unknown,
}

// wholeTexts are the endings of files that consist of one text.
var wholeTexts = words(".md .mdx .markdown .rst .adoc .txt .prompt")

func piecesOf(name string, text []byte) *pieces {
	p := &pieces{text: text}
	switch ending := strings.ToLower(path.Ext(name)); {
	case wholeTexts[ending]:
		p.add(piece{start: 0, end: len(text)}, func(w *plain) { w.writeText(text) })
	case ending == ".yaml" || ending == ".yml":
		p.addYAML()
	default:
		known := syntaxes[ending]
		if known == nil {
			known = &unknown
		}
		(&lexer{pieces: p, syntax: known, text: text}).run()
	}
	return p
}
