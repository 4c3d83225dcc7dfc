package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/report/annotation"
	"github.com/org/mcp-gates/internal/report/codequality"
	"github.com/org/mcp-gates/internal/report/junit"
	"github.com/org/mcp-gates/internal/report/sarif"
	"github.com/org/mcp-gates/internal/thorough"
)

func renderJUnit(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := junit.Report(&b, r); err != nil {
		t.Fatalf("JUnit: %v", err)
	}
	return b.String()
}

func renderSARIF(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := sarif.Report(&b, r, annotation.Of(r, annotation.Options{})); err != nil {
		t.Fatalf("SARIF: %v", err)
	}
	return b.String()
}

func renderCodeQuality(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := codequality.Write(&b, annotation.Of(r, annotation.Options{})); err != nil {
		t.Fatalf("code quality: %v", err)
	}
	return b.String()
}

func TestFormatsForPrograms(t *testing.T) {
	golden(t, "everything.junit.xml", renderJUnit(t, fixture(same)))
	golden(t, "everything.codequality.json", renderCodeQuality(t, fixture(same)))
	all := renderSARIF(t, fixture(same))
	// The rules are pinned where they are written: the pages in docs/rules and docs/gates.
	from, to := strings.Index(all, `"rules": [`), strings.Index(all, `"invocations": [`)
	golden(t, "everything.sarif.json", all[:from]+"…\n      "+all[to:])
}

// checkReadable fails on a text that moves a cursor, or hides or reorders the text around it.
func checkReadable(t *testing.T, what, text string) {
	t.Helper()
	at := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
	if at >= 0 || !utf8.ValidString(text) {
		t.Errorf("%s holds a character that is not shown: %q", what, text)
	}
}

// shapes are the attributes that each element of JUnit XML may have.
var shapes = map[string]string{
	"testsuites": "name tests failures errors", "testsuite": "name tests failures errors skipped", "properties": "",
	"property": "name value", "testcase": "name classname", "skipped": "", "failure": "type message", "error": "type message", "system-out": "",
}

// checkJUnit reads the document back, and returns how often it has each element.
func checkJUnit(t *testing.T, doc string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(doc)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, doc)
		}
		switch token := token.(type) {
		case xml.StartElement:
			found[token.Name.Local]++
			names, known := shapes[token.Name.Local]
			if !known {
				t.Errorf("element <%s> came of a text in\n%s", token.Name.Local, doc)
			}
			for _, a := range token.Attr {
				checkReadable(t, a.Name.Local, a.Value)
				if !slices.Contains(strings.Fields(names), a.Name.Local) {
					t.Errorf("attribute %s of <%s> came of a text in\n%s", a.Name.Local, token.Name.Local, doc)
				}
			}
		case xml.CharData:
			checkReadable(t, "text", string(token))
		case xml.Comment, xml.Directive:
			t.Errorf("%#v came of a text in\n%s", token, doc)
		}
	}
}

// checkSARIF reads the file back, and returns how many results it has.
func checkSARIF(t *testing.T, file string) int {
	t.Helper()
	var log struct {
		Runs []struct {
			Results []struct {
				Level     string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI, URIBaseID string }
						Region           *struct{ StartLine int }
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(file), &log); err != nil {
		t.Fatal(err)
	}
	prints := map[string]bool{}
	for _, r := range log.Runs[0].Results {
		checkReadable(t, "message", r.Message.Text)
		if strings.Contains(r.Message.Text, "](") {
			t.Errorf("%q has a link", r.Message.Text)
		}
		if !slices.Contains([]string{"error", "warning", "note"}, r.Level) || len(r.Locations) != 1 {
			t.Errorf("level %q, %d locations", r.Level, len(r.Locations))
		}
		at := r.Locations[0].PhysicalLocation
		place, err := url.Parse(at.ArtifactLocation.URI)
		if err != nil || place.Host != "" || place.User != nil || (place.Scheme == "file") != (at.ArtifactLocation.URIBaseID == "") || at.Region != nil && at.Region.StartLine < 1 {
			t.Errorf("place %+v, region %+v: %v", at.ArtifactLocation, at.Region, err)
		}
		print := r.PartialFingerprints["primaryLocationLineHash"]
		if prints[print] || print == "" {
			t.Errorf("fingerprint %q is not the only one", print)
		}
		prints[print] = true
	}
	return len(log.Runs[0].Results)
}

// checkCodeQuality reads the file back, and returns how many issues it has.
func checkCodeQuality(t *testing.T, file string) int {
	t.Helper()
	var issues []struct {
		Description, Fingerprint, Severity string
		Check                              string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(file), &issues); err != nil {
		t.Fatal(err)
	}
	prints := map[string]bool{}
	for _, one := range issues {
		for _, text := range []string{one.Description, one.Check, one.Location.Path} {
			checkReadable(t, "text", text)
		}
		if !slices.Contains([]string{"critical", "minor", "info"}, one.Severity) || one.Location.Path == "" || one.Location.Lines.Begin < 1 || prints[one.Fingerprint] {
			t.Errorf("GitLab would not show %+v", one)
		}
		prints[one.Fingerprint] = true
	}
	return len(issues)
}

// checkPrograms writes a report whose names are one and other in all formats for programs, and reads them back.
func checkPrograms(t *testing.T, one, other string) {
	t.Helper()
	odd := false
	name := func(string) string {
		if odd = !odd; odd {
			return one
		}
		return other + one
	}
	r := fixture(name)
	r.Tool.Version, r.Mode = one, other
	doc := renderJUnit(t, r)
	if got := checkJUnit(t, doc); got["failure"] != 1 || got["testcase"] < len(r.Cases) {
		t.Errorf("JUnit has %v, want 1 failure and at least %d test cases", got, len(r.Cases))
	}
	items := annotation.Of(r, annotation.Options{})
	placed := 0
	for _, a := range items {
		if a.Path != "" {
			placed++
		}
	}
	if got := checkSARIF(t, renderSARIF(t, r)); got != placed {
		t.Errorf("SARIF has %d results, want %d", got, placed)
	}
	if got := checkCodeQuality(t, renderCodeQuality(t, r)); got != len(items) {
		t.Errorf("code quality has %d issues, want %d", got, len(items))
	}
}

// programNames are texts that XML, JSON, URIs and viewers of them take for something else.
var programNames = append([]string{
	"]]>", "<![CDATA[", "</failure><testcase name=\"x\"/>", "\"><img src=x>", "&amp;&#0;&x;", "\x00\x01\x0b\ufffe\uffff", "\xed\xa0\x80\xed\xb0\x80",
	"https://evil.example/x", "//evil.example/x", "file:///etc/passwd", "/etc/passwd", "../../x", "a:b", "%2e%2e/%00", "{0}", "\\u0000", "a\nb=1", "<!-- -->", "<?x?>",
}, hostileNames...)

func TestFormatsForProgramsOfHostileNames(t *testing.T) {
	for i := range programNames {
		checkPrograms(t, programNames[i], programNames[(i+5)%len(programNames)])
	}
}

// seedStep returns how far the next seed of a fuzz test is in a list of hostile names, which another test tries, too.
func seedStep() int {
	if flag.Lookup("test.fuzz").Value.String() != "" {
		return 1
	}
	return thorough.Size(10, 1)
}

func FuzzFormatsForPrograms(f *testing.F) {
	for i := 0; i < len(programNames); i += seedStep() {
		f.Add(programNames[i], programNames[(i+3)%len(programNames)])
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		if len(one)+len(other) <= 2000 {
			checkPrograms(t, one, other)
		}
	})
}

// TestSARIFLimit pins that the worst 5,000 results are written, and that a notification counts the others.
func TestSARIFLimit(t *testing.T) {
	r := &report.Report{Warnings: []report.Problem{{Path: "a.yml", Line: 1, Message: "last"}}}
	for i := range sarif.MaxResults + 2 {
		r.Problems = append(r.Problems, report.Problem{Path: "a.yml", Line: i + 1, Message: fmt.Sprint(i)})
	}
	file := renderSARIF(t, r)
	if got := checkSARIF(t, file); got != sarif.MaxResults {
		t.Errorf("got %d results, want %d", got, sarif.MaxResults)
	}
	if want := "3 more results left out"; !strings.Contains(file, want) || strings.Contains(file, `"text": "last"`) {
		t.Errorf("got a file without %q, or with the warning", want)
	}
}

// TestNothingLooksGreen pins that each report that does not pass has an error in the formats for other programs.
func TestNothingLooksGreen(t *testing.T) {
	for name, r := range map[string]*report.Report{
		"nothing":      {},
		"a mistake":    {Problems: []report.Problem{{Message: "no suite found"}}},
		"only skipped": {Cases: []report.Case{{Suite: "a.yml", Name: "one", Verdict: "skipped"}}},
	} {
		r.Conclude()
		if got := checkJUnit(t, renderJUnit(t, r)); got["error"] != 1 {
			t.Errorf("%s: got %v, want an error, because the verdict is %s", name, got, r.Verdict)
		}
		file := renderSARIF(t, r)
		checkRed(t, name, file, renderCodeQuality(t, r))
		if !strings.Contains(file, `"executionSuccessful": false`) {
			t.Errorf("%s: got a successful run, want none, because the verdict is %s:\n%s", name, r.Verdict, file)
		}
	}
}

// checkRed fails unless both files hold an error.
func checkRed(t *testing.T, name, sarif, quality string) {
	t.Helper()
	if !strings.Contains(sarif[strings.Index(sarif, `"invocations"`):], `"level": "error"`) {
		t.Errorf("%s: SARIF has no error", name)
	}
	if !strings.Contains(quality, `"severity": "critical"`) {
		t.Errorf("%s: code quality has nothing critical:\n%s", name, quality)
	}
}

// TestRefusalsLookRed pins that a change that passes and is refused looks red in the formats for other programs, whatever
// text it is refused with.
func TestRefusalsLookRed(t *testing.T) {
	thorough.Unraced(t, "it takes three seconds, on one goroutine")
	for i, text := range programNames {
		comparison := &report.Comparison{
			Weakened: []report.Weakening{{Kind: report.LowerMinimum, Suite: "a.yml", Name: text, Key: text, Base: "1", Head: "0.5", Line: 3}},
			Breaking: []report.Breaking{{Server: text, Tool: text, Message: text}},
		}
		for j, one := range []report.Refusal{
			{Demand: report.FailOnWeakened, Exit: report.ExitFail, Title: text, Message: text},
			{Demand: report.FailOnWeakened, Exit: report.ExitWorld, Title: text, Message: text},
			{Demand: report.FailOnBreaking, Exit: report.ExitFail, Title: text, Message: text},
			{Demand: text, Exit: 7, Title: text, Message: text},
		} {
			if i%4 != j && !thorough.Asked() {
				continue // other texts try it
			}
			name := fmt.Sprintf("%s, exit %d", one.Demand, one.Exit)
			r := &report.Report{
				Cases:    []report.Case{{Suite: "a.yml", Name: "one", Verdict: judge.Pass}},
				Baseline: comparison, Refused: []report.Refusal{one},
			}
			r.Conclude()
			element := map[bool]string{true: "failure", false: "error"}[one.Exit == report.ExitFail]
			if got := checkJUnit(t, renderJUnit(t, r)); got[element] != 1 || got["testcase"] != 2 {
				t.Errorf("%s: got %v, want one %s and two test cases", name, got, element)
			}
			file, quality := renderSARIF(t, r), renderCodeQuality(t, r)
			checkSARIF(t, file)
			checkCodeQuality(t, quality)
			checkRed(t, name, file, quality)
		}
	}
}
