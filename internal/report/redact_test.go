package report_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// notRedacted lists the texts of a report that Redact leaves, by type and field, with the reason.
var notRedacted = map[string]string{
	"Tool.Name": "ours", "Tool.Version": "ours", "Tool.Build": "ours", "Report.Mode": "ours", "Report.Verdict": "ours", "Case.Verdict": "ours", "Row.Verdict": "ours",
	"Result.Verdict": "ours", "Assertion.Verdict": "ours", "Base.Verdict": "ours", "Pair.Base": "a verdict", "Result.Gate": "ours", "Grounds.Grade": "a letter", "Grounds.Lists": "ours",
	"Assertion.Target": "from the suite", "Assertion.Matcher": "from the suite", "CutExpect.Target": "from the suite", "CutExpect.Matcher": "from the suite", "Setting.Key": "from the suite", "Setting.Value": "from the suite; compared", "Setting.File": "a path",
	"Problem.Path": "a path", "Case.ID": "from the suite; compared", "Case.Suite": "a path", "Case.Name": "from the suite", "Case.Model": "from the suite",
	"Executable.Suite": "a path", "Executable.File": "a path", "Executable.Key": "ours", "Executable.Of": "from the suite", "Executable.Words": "from the suite; compared",
	"ExecutableChange.Suite": "a path", "ExecutableChange.File": "a path", "ExecutableChange.Key": "ours", "ExecutableChange.Of": "from the suite",
	"ExecutableChange.Base": "from the suite", "ExecutableChange.Head": "from the suite",
	"Case.ModelNote": "ours", "Case.TokenNote": "ours", "Case.Complexity": "from the suite", "Complexity.Complexity": "from the suite",
	"Case.Cassettes": "paths", "Case.CostUSD": "a figure", "Row.Name": "from the suite", "Recording.Path": "a path", "Recording.SHA256": "a checksum", "Recording.Keeps": "ours",
	"matched.class": "from the suite", "missed.class": "from the suite", "not_found.class": "from the suite", "not_picked.class": "from the suite", "not_picked.how": "ours", "missed.members": "from the suite", "confusions.gold": "from the suite",
	"SelectionEvidence.Expected": "from the suite", "undelegated.delegation": "from the suite", "strayed.expected": "from the suite", "mutations.tool": "from the catalog", "mutations.kind": "ours",
	"lost.tool": "from the catalog", "lost.search": "ours", "lost.behind": "from the catalog", "lost.path": "a path",
	"unfound.tool": "from the catalog", "unfound.search": "ours", "unfound.behind": "from the catalog", "unfound.path": "a path",
	"sank.tool": "from the catalog", "sank.search": "ours", "sank.behind": "from the catalog", "sank.path": "a path",
	"broken.edge": "from the suite", "claimed_absent.verb": "from the suite",
	"Breach.Figure": "ours", "Breach.Bound": "from the suite",
	"Catalog.Name": "from the suite", "Catalog.Path": "a path", "Catalog.MinScore": "a figure", "Catalog.MeanScore": "a figure",
	"HiddenTool.Server": "from the suite", "HiddenTool.Name": "from the catalog", "CatalogTool.Server": "from the suite", "CatalogTool.Name": "from the catalog", "CatalogTool.Score": "a figure", "CatalogTool.Path": "a path", "Catalog.LeftOut": "from the catalog", "HiddenTool.Path": "a path", "CatalogTool.SHA256": "a checksum",
	"Manifest.Key": "ours", "Manifest.Version": "from the catalog",
	"ChangedRule.Rule": "ours", "ChangedRule.Tool": "from the catalog", "ChangedRule.Severity": "ours", "ChangedRule.Path": "a path",
	"Catalog.JudgedBy": "from the suite", "Catalog.Source": "not written", "StaleTool.Lacks": "from the catalog", "DeclaredServer.Name": "not written", "DeclaredServer.Path": "not written", "DeclaredServer.Catalog": "not written",
	"Finding.Rule": "ours", "Finding.Severity": "ours", "Finding.Server": "from the suite", "Finding.Tool": "from the catalog",
	"Finding.Argument": "from the catalog", "Finding.Path": "a path",
	"Base.Ref": "of git", "Base.SHA": "of git", "Base.File": "a path", "Pair.ID": "from the suite", "Pair.WasID": "from the suite",
	"Pair.NewMissed": "from the suite", "Pair.NewFailures": "from the suite", "Delta.Name": "ours", "Delta.Base": "a figure", "Delta.Head": "a figure",
	"Delta.P": "a figure", "Gone.ID": "from the suite", "Gone.Suite": "a path", "Gone.Name": "from the suite", "Gone.Model": "from the suite",
	"Regression.Kind": "ours", "Regression.Case": "from the suite", "Regression.What": "from the suite", "Regression.Path": "a path",
	"Weakening.Kind": "ours", "Weakening.Case": "from the suite", "Weakening.Suite": "a path", "Weakening.File": "a path", "Weakening.Name": "from the suite",
	"Weakening.Model": "from the suite", "Weakening.Key": "from the suite", "Weakening.Base": "from the suite", "Weakening.Head": "from the suite",
	"Instructions.Server": "from the suite", "Instructions.SHA256": "a checksum", "Instructions.Path": "a path", "Instructions.Text": "compared, and not written",
	"InstructionsChange.Server": "from the suite", "InstructionsChange.Path": "a path",
	"ToolChange.Kind": "ours", "ToolChange.Server": "from the suite", "ToolChange.Name": "from the catalog", "ToolChange.Path": "a path",
	"Weakening.Settings": "from the suite", "Unjudged.Case": "from the suite", "Base.Unread": "paths", "Base.Mistaken": "from the suite", "Report.Unread": "paths",
	"Case.Kind": "ours", "Case.RenewedBy": "ours", "Case.Catalog": "a path",
	"OwnJudgement.Verdict": "ours", "BaseJudgement.Case": "from the base's suite", "BaseJudgement.Verdict": "ours",
	"BaseJudgement.Gone": "from the base's suite; compared", "BaseJudgement.Lost": "a path",
	"SuiteSetting.Suite": "a path", "SuiteSetting.Key": "ours", "SuiteSetting.Value": "from the suite", "ServerRename.Old": "from the suite", "ServerRename.New": "from the suite", "Rename.Server": "from the suite", "Rename.Old": "from the catalog", "Rename.New": "from the catalog",
	"Shard.PlanSHA256": "a checksum", "Selection.Suites": "as asked for", "Selection.Filter": "as asked for", "Selection.Tags": "as asked for",
	"Selection.SkipTags": "as asked for", "Chosen.By": "as asked for", "Chosen.Suites": "as asked for", "Partial.Report": "ours", "Chosen.Left": "not written", "Report.Flags": "ours", "Invocation.Workspace": "as asked for", "Invocation.Suites": "as asked for", "Invocation.Filter": "as asked for", "Invocation.Tags": "as asked for", "Invocation.SkipTags": "as asked for", "Invocation.Shard": "as asked for", "Invocation.ShardBy": "as asked for", "Limits.TurnTimeout": "as asked for", "Limits.CaseTimeout": "as asked for", "Selection.FailOnStale": "ours", "Selection.By": "a checksum", "Selection.Base": "of git",
	"Kept.Unready": "paths", "KeptServer.Server": "from the suite", "KeptServer.Tools": "redacted when they were read",
	"MaxDrop.Target": "ours", "Drop.Target": "ours", "Drop.Base": "a figure", "Drop.Head": "a figure",
	"CassetteChange.Kind": "ours", "CassetteChange.Path": "a path",
	"ToolChange.Was": "from the catalog", "ToolChange.Probably": "from the catalog", "AlikeTool.Server": "from the suite", "AlikeTool.Name": "from the catalog",
	"ToolPart.Aspect": "ours", "ToolPart.Argument": "from the catalog", "ToolPart.Keyword": "from the catalog", "ToolPart.Gains": "redacted before it was compared", "ToolPart.Loses": "redacted before it was compared", "ToolPart.Base": "redacted before it was compared", "ToolPart.Head": "redacted before it was compared",
	"ScoreMove.Name": "from the suite", "ScoreMove.Path": "a path", "ScoreMove.Figure": "ours", "ScoreMove.Base": "a figure", "ScoreMove.Head": "a figure", "RuleMove.Rule": "ours",
	"CostMove.Name": "from the suite", "CostMove.Path": "a path", "ClientCost.Client": "ours", "ClientCost.Version": "ours",
	"DiffPart.Change": "ours", "DiffPart.Text": "redacted before it was compared",
	"Breaking.Kind": "ours", "Breaking.Server": "from the suite", "Breaking.Tool": "from the catalog", "Breaking.Argument": "from the catalog", "Breaking.Path": "a path",
	"Comparison.ServersGone": "from the suite", "Comparison.Uncompared": "as asked for", "Refusal.Demand": "ours", "Refusal.Title": "ours",
	"Freshness.State": "ours", "Freshness.Since": "ours", "StaleTool.Server": "from the suite", "StaleTool.Name": "from the catalog", "StaleTool.Change": "ours", "StaleTool.What": "ours",
	"StaleTool.Now": "from the catalog", "StaleTool.Like": "from the catalog", "StaleTool.Path": "a path", "Place.Path": "a path",
	"OutdatedTool.Server": "from the suite", "OutdatedTool.Name": "from the catalog", "OutdatedTool.What": "ours", "OutdatedTool.Path": "a path", "OutdatedTool.Update": "from the suite",
	"WordsRow.ID": "not written", "WordsRow.First": "not written", "WordsRow.Before": "not written", "WordsRow.Gone": "not written",
	"ByWords.First": "from the catalog", "ByWords.Gone": "from the suite",
}

func TestRedactForgetsNoText(t *testing.T) {
	r := &report.Report{}
	fill(reflect.ValueOf(r).Elem())
	r.Redact(func(s string) string { return "<" + s + ">" }, func(s string) string { return "<advice: " + s + ">" })
	seen := map[string]bool{}
	visit(reflect.ValueOf(r).Elem(), "", func(field, text string) {
		seen[field] = true
		changed := strings.HasPrefix(text, "<")
		if twice := strings.HasPrefix(text, "<<"); twice {
			t.Errorf("%s is replaced twice: %q", field, text)
		}
		if isAdvice := strings.HasPrefix(field, "Finding.") || strings.HasPrefix(field, "Breaking."); changed && isAdvice != strings.HasPrefix(text, "<advice: ") {
			t.Errorf("%s is taken for advice, or is and is not: %q", field, text)
		}
		if exempt := notRedacted[field] != ""; changed == exempt {
			t.Errorf("%s: replaced %v, listed as not to be %v", field, changed, exempt)
		}
	})
	for field := range notRedacted {
		if !seen[field] {
			t.Errorf("%s is listed and no text of a report", field)
		}
	}
}

// fill puts a text in every string that a value can hold, and one element in every list; of notes one of each kind.
func fill(v reflect.Value) {
	if notes, ok := v.Addr().Interface().(*[]judge.Note); ok {
		*notes = notesOfAllKinds()
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Interface:
		v.Set(reflect.ValueOf("text"))
	case reflect.Pointer:
		if pkg := v.Type().Elem().PkgPath(); pkg != "math/big" && !strings.HasSuffix(pkg, "/catalog") { // a catalog is not written
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

// notesOfAllKinds returns a note of each kind, with a text in each of its fields.
func notesOfAllKinds() []judge.Note {
	var notes []judge.Note
	for _, kind := range judge.Kinds {
		note := judge.Note{Kind: kind.Name}
		for _, field := range kind.Fields {
			fill(reflect.ValueOf(field.At(&note)).Elem())
		}
		notes = append(notes, note)
	}
	return notes
}

// visit calls each with every text below a value, under the name of the struct's type and the field.
func visit(v reflect.Value, field string, each func(field, text string)) {
	if note, ok := v.Interface().(judge.Note); ok {
		for _, of := range judge.KindOf(note.Kind).Fields {
			visit(reflect.ValueOf(of.At(&note)).Elem(), note.Kind+"."+of.Key, each)
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		each(field, v.String())
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), field, each)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			visit(v.Index(i), field, each)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != reflect.TypeFor[judge.Value]() {
				visit(v.Field(i), fmt.Sprintf("%s.%s", v.Type().Name(), v.Type().Field(i).Name), each)
			}
		}
	}
}

func TestRedactActual(t *testing.T) {
	evidence := []string{"a secret"}
	r := &report.Report{Cases: []report.Case{{Expect: []report.RunAssertion{{Assertion: judge.Assertion{Actual: evidence}}}}}}
	hide := func(s string) string { return strings.ReplaceAll(s, "secret", "x") }
	r.Redact(hide, hide)
	if got, want := r.Cases[0].Expect[0].Actual, []string{"a x"}; !slices.Equal(got.([]string), want) || evidence[0] != "a secret" {
		t.Errorf("actual = %q, want %q; the evidence is %q", got, want, evidence)
	}
}
