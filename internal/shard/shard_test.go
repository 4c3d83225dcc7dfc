package shard

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		text      string
		index, of int // 0 for a mistake
	}{
		{"1/1", 1, 1}, {"2/8", 2, 8}, {"256/256", 256, 256}, {"02/8", 2, 8},
		{text: "0/8"}, {text: "9/8"}, {text: "1/257"}, {text: "1"}, {text: ""}, {text: "/"}, {text: "1/"}, {text: "-1/2"}, {text: "1/2/3"},
		{text: "1 /2"}, {text: "1/99999999999999999999"}, {text: strings.Repeat("1", 1000)},
	} {
		d, err := Parse(test.text)
		if test.of == 0 {
			if err == nil || len(err.Error()) > 200 {
				t.Errorf("Parse(%q) = %v, %v, want a short mistake", test.text, d, err)
			}
			continue
		}
		if err != nil || d.Index != test.index || d.Of != test.of {
			t.Errorf("Parse(%q) = %v, %v, want %d of %d", test.text, d, err, test.index, test.of)
		}
	}
}

// TestByID pins the shards of ids, which reports of other versions and other programs are divided by. The figures are of
// Python: 1 + int.from_bytes(hashlib.sha256(b"a").digest()[:8], "big") % 3.
func TestByID(t *testing.T) {
	got := (&Division{Index: 1, Of: 3}).Shards([]string{"suites/a.yml::finds", "suites/a.yml::runs", "suites/a.yml::web"})
	if want := []int{2, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("shards are %v, want %v", got, want)
	}
	got = (&Division{Index: 1, Of: 9}).Shards([]string{"suites/a.yml::finds", "suites/a.yml::runs", "suites/a.yml::web"})
	if want := []int{5, 4, 3}; !slices.Equal(got, want) {
		t.Errorf("shards are %v, want %v", got, want)
	}
}

func weighted(t *testing.T, cases ...report.Case) *Weights {
	t.Helper()
	var text bytes.Buffer
	r := &report.Report{Version: report.Version, Cases: cases}
	r.Conclude()
	if err := report.JSON(&text, r); err != nil {
		t.Fatal(err)
	}
	w, err := ReadWeights(&text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestBalance(t *testing.T) {
	tokens := func(id string, n int64) report.Case {
		return report.Case{ID: id, Verdict: judge.Pass, Runs: report.Runs{Recorded: 1}, Tokens: &report.Tokens{Total: n}}
	}
	runs := func(id string, n int) report.Case {
		return report.Case{ID: id, Verdict: judge.Pass, Runs: report.Runs{Recorded: n}}
	}
	for _, test := range []struct {
		name    string
		weights *Weights
		ids     []string
		want    []int
	}{
		{"the heaviest alone", weighted(t, tokens("a", 1), tokens("b", 90), tokens("c", 1), tokens("d", 1)), []string{"a", "b", "c", "d"}, []int{2, 1, 2, 2}},
		{"runs where no case has tokens", weighted(t, runs("a", 1), runs("b", 3), runs("c", 1), runs("d", 1)), []string{"a", "b", "c", "d"}, []int{2, 1, 2, 2}},
		{"tokens where a case has some", weighted(t, tokens("a", 5), runs("b", 9000)), []string{"a", "b", "c"}, []int{1, 2, 1}},
		{"ties by id", weighted(t), []string{"c", "a", "b"}, []int{1, 1, 2}},
		{"new cases weigh the median", weighted(t, tokens("a", 10), tokens("b", 4), tokens("c", 1)), []string{"a", "b", "c", "new"}, []int{1, 2, 2, 2}},
		{"figures out of range", weighted(t, tokens("a", -5), tokens("b", 1<<62)), []string{"a", "b"}, []int{2, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := &Division{Index: 1, Of: 2, Weights: test.weights}
			if got := d.Shards(test.ids); !slices.Equal(got, test.want) {
				t.Errorf("shards of %q are %v, want %v", test.ids, got, test.want)
			}
		})
	}
}

// shardReport returns the report of a shard with cases of one suite.
func shardReport(p *Plan, index, of int, ids ...string) []byte {
	r := &report.Report{
		Version: report.Version, Mode: report.Replay, Tool: p.tool(),
		Shard: &report.Shard{Index: index, Of: of, PlanSHA256: p.SHA256(), Planned: len(p.Cases), Selection: p.Selection},
	}
	for _, id := range ids {
		r.Cases = append(r.Cases, report.Case{ID: id, Suite: "s.yml", Verdict: judge.Pass})
	}
	r.Conclude()
	var text bytes.Buffer
	if err := report.JSON(&text, r); err != nil {
		panic(err) // a buffer never fails
	}
	return text.Bytes()
}

func TestFaults(t *testing.T) {
	plan := func(change func(*Plan)) *Plan {
		p := &Plan{Version: "1", Build: "ab", Mode: report.Replay, Files: []File{{"s.yml", "ab"}}, Cases: []string{CaseKey("s.yml", "a"), CaseKey("s.yml", "b")}}
		change(p)
		return p
	}
	ours := plan(func(*Plan) {})
	first := shardReport(ours, 1, 2, "a")
	for _, test := range []struct {
		name    string
		reports [][]byte
		want    []string
	}{
		{"whole", [][]byte{shardReport(ours, 2, 2, "b"), first}, nil},
		{"none", nil, []string{"there is no report of a shard, so nothing was checked"}},
		{"missing", [][]byte{first}, []string{"shard 2 of 2 is missing: its cases were not checked"}},
		{"doubled", [][]byte{first, first, shardReport(ours, 2, 2, "b")}, []string{`shard 1 of 2 is there 2 times, in ["0.json" "1.json"]`}},
		{"without a case", [][]byte{first, shardReport(ours, 2, 2)}, []string{"no shard has 1 case of the check"}},
		{"with a case of another check", [][]byte{first, shardReport(ours, 2, 2, "b", "c")},
			[]string{`"1.json" has a case that is not one of the check: "c" of "s.yml"`}},
		{"with a case twice", [][]byte{first, shardReport(ours, 2, 2, "a", "b")}, []string{"several shards have 1 case of the check"}},
		{"of another version", [][]byte{first, shardReport(plan(func(p *Plan) { p.Version = "2" }), 2, 2, "b")},
			[]string{`"1.json" is shard 2 of 2 of another check: "mcp-gates 2 (commit ab)" made it, and this is mcp-gates 1 (commit ab); merge needs the build that made the shards`}},
		{"of another build", [][]byte{first, shardReport(plan(func(p *Plan) { p.Build = "h1:cd" }), 2, 2, "b")},
			[]string{`"1.json" is shard 2 of 2 of another check: "mcp-gates 1 (module h1:cd)" made it, and this is mcp-gates 1 (commit ab); merge needs the build that made the shards`}},
		{"of another base", [][]byte{first, shardReport(plan(func(p *Plan) { p.Selection.Base = "cafe" }), 2, 2, "b")},
			[]string{`"1.json" is shard 2 of 2 of another check: its base is cafe, expected none; give shards and merge the same --baseline`}},
		{"of other suites", [][]byte{first, shardReport(plan(func(p *Plan) { p.Files[0].SHA256 = "cd" }), 2, 2, "b")},
			[]string{`"1.json" is shard 2 of 2 of another check: its suites, their catalogs or recordings of tools are not those of the workspace`}},
		{"of other cases", [][]byte{first, shardReport(plan(func(p *Plan) { p.Cases = p.Cases[:1] }), 2, 2, "b")},
			[]string{`"1.json" is shard 2 of 2 of another check: it has 1 cases over all shards, expected 2`}},
		{"balanced otherwise", [][]byte{first, shardReport(plan(func(p *Plan) { p.Selection.By = "ab" }), 2, 2, "b")},
			[]string{`"1.json" is shard 2 of 2 of another check: another report balanced it`}},
		{"of another floor", [][]byte{first, shardReport(plan(func(p *Plan) { p.Selection.FailOnStale = "fail" }), 2, 2, "b")},
			[]string{`"1.json" is shard 2 of 2 of another check: it has another --fail-on-stale`}},
		{"with what is foreign", [][]byte{first, shardReport(plan(func(p *Plan) { p.Selection.SkipForeign = true }), 2, 2, "b")},
			[]string{`"1.json" is shard 2 of 2 of another check: not all shards have --skip-foreign`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var set Set
			for i, text := range test.reports {
				if err := set.Add(fmt.Sprintf("%d.json", i), bytes.NewReader(text)); err != nil {
					t.Fatal(err)
				}
			}
			if got := set.Faults(ours); !slices.Equal(got, test.want) {
				t.Errorf("faults:\n got %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestUnknownBuilds pins that builds of unknown commits count as two, also where both have one version.
func TestUnknownBuilds(t *testing.T) {
	p := &Plan{Version: "1", Mode: report.Replay, Cases: []string{CaseKey("s.yml", "a")}}
	var set Set
	if err := set.Add("a.json", bytes.NewReader(shardReport(p, 1, 1, "a"))); err != nil {
		t.Fatal(err)
	}
	want := []string{`"a.json" is shard 1 of 1 of another check: "mcp-gates 1 (commit unknown)" made it, and this is mcp-gates 1 (commit unknown); ` +
		`merge needs the build that made the shards`}
	if got := set.Faults(p); !slices.Equal(got, want) {
		t.Errorf("faults:\n got %q\nwant %q", got, want)
	}
}

// TestRefused lists what a report can say of a shard that no shard says.
func TestRefused(t *testing.T) {
	p := &Plan{Version: "1", Build: "ab", Mode: report.Replay, Cases: []string{CaseKey("s.yml", "a")}}
	for _, test := range []struct{ name, was, is, want string }{
		{"a word that is not a verdict", `"verdict":"pass"`, `"verdict":"green"`, `"/cases/0" has a verdict that is "green", expected pass, fail, error or skipped`},
		{"other counts", `"passed": 1`, `"passed": 2`, `"/counts" are 1 cases, 2 passed`},
		{"a mistake and a pass", `"problems": []`, `"problems": [{"message": "x"}]`, `"/verdict" is "pass", expected "error"`},
		{"unready suites in a replay", `"unready": []`, `"unready": ["s.yml"]`, "keeps suites that could not be run, in a replay"},
		{"tools of a case that is not there", `"seen": []`, `"seen": [{"at": 1}]`, "keeps the tools of servers in another order than that of its cases"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.ReplaceAll(string(shardReport(p, 1, 1, "a")), test.was, test.is)
			if !strings.Contains(text, test.is) {
				t.Fatalf("%s is not in\n%s", test.was, text)
			}
			var set Set
			if err := set.Add("a.json", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q in it", err, test.want)
			}
		})
	}
}

// FuzzSet reads what anybody can have written as the report of a shard.
func FuzzSet(f *testing.F) {
	p := &Plan{Version: "1", Build: "ab", Mode: report.Replay, Cases: []string{CaseKey("s.yml", "a")}}
	f.Add(shardReport(p, 1, 1, "a"))
	f.Add(shardReport(p, 1, 1, "a", "a"))
	f.Add([]byte(`{"report":1,"mode":"replay","shard":{"index":1,"of":1,"kept":{"cases":[{"at":7}],"seen":[{"at":-1}]}},"cases":null}`))
	f.Add([]byte(`{"report":1,"mode":"replay","shard":{"index":1,"of":1},"cases":[{"verdict":"green"}]}`))
	f.Add([]byte(`{"report":1,"mode":"replay","shard":{"index":2,"of":1}}`))
	f.Add([]byte(`{"report":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var set Set
		if err := set.Add("a.json", bytes.NewReader(text)); err != nil {
			return
		}
		if len(set.Faults(p)) > 0 {
			return
		}
		if list := set.Outcomes(p.Cases); len(list) != 1 || list[0].Case.ID != "a" && len(set.Unready()) == 0 {
			t.Errorf("a whole set has the outcomes %v", list)
		}
	})
}
