package locate

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/org/mcp-gates/internal/catalog"
)

// TestMatch compares texts with descriptions. A text begins with a letter.
func TestMatch(t *testing.T) {
	const long = "Lists the tickets of a team. The newest come first."
	for _, test := range []struct {
		name, description, text string
		want                    kind
	}{
		{"one line", long, `Lists the tickets of a team. The newest come first."`, whole},
		{"joined", long, "Lists the tickets of \" +\n\t\t\"a team. The newest \" +\n\"come first.\"", whole},
		{"joined within a word", long, `Lists the tick" . "ets of a team. The newest come first."`, whole},
		{"prefixes", long, "Lists the tickets \"\n  f\"of a team. The \" r'newest come first.'", whole},
		{"comment", long, "Lists the tickets of a\n   * team. The newest come\n   * first.\n   */", whole},
		{"attribute", "Says \"hello\" to a team", `Says ""hello"" to a team")`, whole},
		{"escapes", "Says “hello” – to Zoë\tand\nothers", `Says \u201chello\u201d \u{2013} to Zo\xeb\tand\\nothers"`, whole},
		{"goes on", "Lists the tickets of", `Lists the tickets of a team."`, 0},
		{"goes on after a comma", "Lists the tickets", `Lists the tickets, by team"`, 0},
		{"another sentence follows", "Lists the tickets.", `Lists the tickets. The newest come first."`, whole},
		{"first sentence", long, `Lists the tickets of a team. See also: teams"`, sentence},
		{"first sentence without its end", long, `Lists the tickets of a team"`, sentence},
		{"first sentence that goes on", long, `Lists the tickets of a team by age."`, 0},
		{"template", long, "Lists the tickets of ${team}. The newest", inserted},
		{"operator", long, `Lists the tickets of " + team + ". The newest`, inserted},
		{"format", long, `Lists the tickets of %s. The newest`, inserted},
		{"too short before the template", long, "Lists the ${things} of a team", 0},
		{"another text", long, `Lists the tickets of a group. The newest come first."`, 0},
		{"object after a text", long, `Lists the tickets of a", {`, 0},
		{"another case", long, `lists the tickets of a team."`, 0},
		{"words run together", long, `ListsTheTickets`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, ok := newPattern(test.description)
			if !ok {
				t.Fatalf("%q is too short", test.description)
			}
			if got, _, _ := p.match([]byte(test.text), 0); got != test.want {
				t.Errorf("kind of match of %q in %q is %d, want %d", test.description, test.text, got, test.want)
			}
		})
	}
}

func TestBegins(t *testing.T) {
	for text, want := range map[string]bool{
		`"|Lists`: true, "\n\t|Lists": true, "// |Lists": true, `"\n|Lists`: true, `<p>|Lists`: true, "|Lists": true, "- |Lists": true,
		"It |Lists": false, "Yes, |Lists": false, "Done. |Lists": false, "(all) |Lists": false,
	} {
		before, after, _ := strings.Cut(text, "|")
		if got := begins([]byte(before+after), len(before)); got != want {
			t.Errorf("a description begins at | in %q: %t, want %t", text, got, want)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	for description, want := range map[string]string{
		"Lists the tickets. The newest first.":   "Lists the tickets.",
		"Lists, e.g. tickets. The newest first.": "Lists, e.g. tickets.",
		"Lists tickets of\na team\n\nThe newest": "Lists tickets of\na team",
		"Lists v1.2 tickets of a team":           "Lists v1.2 tickets of a team",
		"按作者、书名或主题词搜索图书，并说明图书。所在的位置。":            "按作者、书名或主题词搜索图书，并说明图书。",
		"Ping. Pong.": "Ping. Pong.",
	} {
		if got := description[:sentenceEnd([]byte(description))]; got != want {
			t.Errorf("first sentence of %q is %q, want %q", description, got, want)
		}
	}
}

// TestNames says which words of a source are the name of a tool.
func TestNames(t *testing.T) {
	for _, test := range []struct {
		name, server string
		yes, no      []string
	}{
		{
			"get_issue", "github",
			[]string{"get_issue", `"get_issue"`, "getIssue(", "GetIssue", "get-issue", "GET_ISSUE", "github_get_issue", "githubGetIssue", "my_get_issue",
				"GetIssueTool", "registerGetIssue", "TOOL_GET_ISSUE_DESCRIPTION", "tools.get_issue", "Tools::GetIssue", "issues/get_issue", "get_issue:"},
			[]string{"get_issues", "issue(", `"issue"`, "get issue", "forget_issue", "getIssueById"},
		},
		{"github_get_issue", "github", []string{"get_issue", "getIssue", "github-get-issue"}, []string{"issue("}},
		{"jira_search", "", []string{"def search(", `"search"`, "Tools.SEARCH", "jiraSearch"}, []string{"a search of", "Search the issues"}},
		{"echo", "", []string{`"echo"`, "echo(", "`echo`", "echo = ", "echo: {"}, []string{"the echo of", "Echo. And"}},
		{"API-get/user.name", "", []string{`"API-get/user.name"`, "apiGetUserName", "api_get_user_name"}, []string{"user.name"}},
		{"搜索", "", []string{`"搜索"`}, []string{`"图书"`}},
	} {
		n := names{ids: map[string]int{}}
		ids := n.spellingsOf(&catalog.Tool{Name: test.name, Server: test.server})
		for _, text := range slices.Concat(test.yes, test.no) {
			lines := n.findLines([]byte(" "+text+" "), []hit{{start: 0, end: 0}})
			if got, want := isNear(lines, ids, 1, 1), slices.Contains(test.yes, text); got != want {
				t.Errorf("%q of server %q stands in %q: %t, want %t", test.name, test.server, text, got, want)
			}
		}
	}
}

// letters returns the letters of a text alone.
func letters(text string) string {
	var all []rune
	for at := 0; at < len(text); {
		letter, size := decode([]byte(text[at:]))
		if letter != 0 {
			all = append(all, letter)
		}
		at += size
	}
	return string(all)
}

// FuzzFind wants every place to be a line of a file that holds the first word of the description.
func FuzzFind(f *testing.F) {
	f.Add("save_note", noteText, noteCode, "// nothing\n")
	f.Add("saveNote", "Saves a note.\n\nThe user's.", "def save_note():\n    \"\"\"\n    Saves a note.\n", "`Saves a \" + note")
	f.Add("搜索", "按作者、书名或主题词搜索图书。", "搜索 = `按作者、书名\\u6216主题词搜索图书。`", `\u{`)
	f.Add("a", "Lists the tickets of a team", "a(`Lists the tickets of ${", "\\\\\\x4\xff\"")
	f.Fuzz(func(t *testing.T, name, description, first, second string) {
		note := tool(name, description)
		files := map[string]string{"a.go": first, "b/c.py": second}
		places, err := Find(fstest.MapFS{"a.go": {Data: []byte(first)}, "b/c.py": {Data: []byte(second)}}, []*catalog.Tool{note, tool("other", first)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		pos, ok := places[note]
		if !ok {
			return
		}
		text, ok := files[pos.File]
		if !ok || pos.Line < 1 || pos.Line > strings.Count(text, "\n")+1 {
			t.Fatalf("%s is not a line of a file", pos)
		}
		p, _ := newPattern(description)
		word := p.letters
		if end := slices.Index(p.gaps, true); end >= 0 {
			word = word[:end]
		}
		from := strings.Join(strings.Split(text, "\n")[pos.Line-1:], "\n")
		if !strings.Contains(letters(from), string(word)) {
			t.Errorf("the text from %s on does not hold %q:\n%s", pos, string(word), from)
		}
	})
}
