// Package judge holds the contract of gates and the engine that judges their figures.
//
// A [Gate] is a value. Its Configure reads the gate's block of a suite and returns a [Plan]: a function that turns a trace
// into named figures and notes, and the expectations on the figures. Gates only measure; [Work.Evaluate] alone judges. Figures
// are exact (see [Value]), and a figure without evidence is absent, not 0. Renderings know a note by its row in [Kinds].
//
// Package gates holds the gates themselves.
package judge

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Gate is one kind of check that a suite can ask for.
type Gate struct {
	Name string // YAML key and id in reports
	Doc  string // Markdown; the first line is its title

	Keys    []Key    // the keys of its block: the documentation is made from them
	Targets []Target // the names that expect: accepts
	Default []Floor  // the expectations of a suite without expect:

	Needs Need       // evidence to prepare
	Keep  trace.Keep // parts of the cassette to keep in memory

	// Configure reads the gate's block, reports mistakes at their places in the suite, and returns the plan.
	Configure func(block *yamlread.Map, in Context) Plan
}

// Key documents one key of a gate's block.
type Key struct {
	Name     string
	Type     string // one of the Type constants, or a choice of texts, such as "serial | parallel"
	Required bool
	Doc      string
	Keys     []Key // of the map, or of each map of the list
	OfFile   []Key // of the map that replaces a list, and names a file with the list
}

// The types of keys, as the pages in docs/gates print them. Tests check the examples against them.
const (
	TypeText         = "text"
	TypeTexts        = "text or list" // of texts
	TypeRegexp       = "regular expression"
	TypeBool         = "true or false"
	TypeWhole        = "whole number"
	TypeWholes       = "list of whole numbers"
	TypeNumber       = "number" // of 0 or more
	TypeRate         = "0 to 1"
	TypeShare        = "0 to 1, or percent" // 80% is 0.8
	TypePercent      = "percent"            // from 0 to 100, with or without the sign; a number without the sign must be 0 or more than 1
	TypeClasses      = "list of classes"
	TypeExpectations = "list of expectations"
	TypeMap          = "map"                            // of Keys
	TypeMaps         = "list of maps"                   // of Keys
	TypeMapsOrFile   = "list of maps, or map with file" // lists of Keys, maps of OfFile
	TypeMutations    = "auto or list of maps"
	TypeAutoMapsFile = "auto, list of maps, or map with file" // lists of Keys, maps of OfFile
	TypeCatalog      = "path or tools"
	TypePatterns     = "list of tools or maps" // maps of Keys
	TypeSteps        = "list of steps"         // tools, or maps of Keys
	TypeArguments    = "map of arguments"
	TypeCounts       = "map of whole numbers"
	TypeDuration     = "duration"    // a text such as 90s, 1m30s or 500ms
	TypeFlowEnd      = "text or map" // of Keys
	TypeSeverities   = "map of severities"
)

// Target is a figure that expect: may name. A name may hold one parameter: [K] for a whole number of 1 or more,
// ["NAME"] for a quoted text.
type Target struct {
	Name string
	Unit Unit
	Doc  string

	OfChange bool // it compares the head with the base, so it has no figure in the base to compare with
}

// Floor is an expectation in the defaults of a gate, such as {Target: "tool_selection.f1", Bound: ">= 50"}.
type Floor struct {
	Target, Bound string
	Unless        string // the target of another default; this one replaces it if that figure is absent; "" for always
}

// Need is evidence that must be prepared before a gate measures.
type Need uint8

// The kinds of evidence that are prepared only when a gate needs them.
const (
	NeedCatalog Need = 1 << iota // trace.Catalog; its lack is an error of the gate
	NeedTokens                   // trace.Surface, and trace.CurrentSurface if there are snapshots
	NeedRuns                     // at least one run to judge; the lack of runs is an error of the gate
)

// Context is the part of the suite and the test that a gate may read besides its block.
type Context struct {
	Test        string                                      // name of the test
	Servers     []string                                    // declared servers, sorted: a member that begins with one and a dot is meant only for it
	NameFree    bool                                        // discovery: {name_free: true}
	Classes     []Class                                     // for a gate without its own: TestClasses, else those of another gate; nil if none
	TestClasses []Class                                     // of the test's own classes:; nil when it has none
	Faults      []fault.Fault                               // faults: of the test
	Runs        int                                         // runs: of the test, at least 1
	Snapshot    []*catalog.Tool                             // tools of the test's servers that have a snapshot; nil if none has
	Clients     []string                                    // presets of agents that the suite's tests name, sorted; nil if they name none
	Hidden      []*catalog.Tool                             // tools of an entry's catalog that no model is offered
	SnapshotOf  func(server string) ([]*catalog.Tool, bool) // the snapshot of a declared server, if it has one
}

// Class is an equal-function set: a named group of tools that do the same job.
type Class struct {
	Name    string
	Members []string // as the suite writes them: bare or qualified
	Pos     source.Pos
	Places  []source.Pos // of Members in the suite; nil for classes that were not read from a suite
}

// Measurement is the result of measuring.
type Measurement struct {
	Values map[string]Value  // by target; an undefined figure is not in the map
	Absent map[string]string // by target: why the figure is undefined, and how to supply it
	Detail map[string]string // by target: the evidence for the figure, for the message of a failed assertion; may be nil
	Err    string            // why the gate could not be evaluated at all; "" if it could
	Steps  int64             // the steps that matching regular expressions took, as Work counts them
	Grounds

	Summary string                   // the figures in one line; "" for a gate without floors
	Breach  func(*Assertion) *Breach // the breach of an assertion that does not hold; nil for a gate without floors
}

// Check is a gate as one test configures it.
type Check struct {
	Gate *Gate
	Pos  source.Pos // of the gate's key in the suite
	Plan Plan

	// Settings are the settings in the gate's block, see [Settings].
	Settings []Setting
}

// The parameters that a target's name can hold.
const (
	countParam = "[K]"
	nameParam  = `["NAME"]`
)

var wholeNumber = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)

// WithParam returns the name of a parameterised target's figure, such as tool_selection.pass_hat[3] or tool["get_weather"].score.
func (t Target) WithParam(param string) string {
	if before, after, ok := strings.Cut(t.Name, countParam); ok {
		return before + "[" + param + "]" + after
	}
	before, after, _ := strings.Cut(t.Name, nameParam)
	return before + "[" + CompactJSON(param) + "]" + after
}

// Param returns the parameter in name, "" for a target without a parameter. ok reports whether name is a name of the target.
func (t Target) Param(name string) (param string, ok bool) {
	if before, after, has := strings.Cut(t.Name, countParam); has {
		param, ok = between(name, before+"[", "]"+after)
		return param, ok && wholeNumber.MatchString(param)
	}
	if before, after, has := strings.Cut(t.Name, nameParam); has {
		quoted, ok := between(name, before+"[", "]"+after)
		return param, ok && strings.HasPrefix(quoted, `"`) && json.Unmarshal([]byte(quoted), &param) == nil
	}
	return "", name == t.Name
}

// Pattern returns a regular expression (of RE2 and of JavaScript) that matches the names of the target.
func (t Target) Pattern() string {
	literal := regexp.QuoteMeta(t.Name)
	literal = strings.ReplaceAll(literal, regexp.QuoteMeta(countParam), `\[[1-9][0-9]{0,8}\]`)
	return "^" + strings.ReplaceAll(literal, regexp.QuoteMeta(nameParam), `\["([^"\\]|\\.)*"\]`) + "$"
}

func between(s, before, after string) (string, bool) {
	s, okBefore := strings.CutPrefix(s, before)
	s, okAfter := strings.CutSuffix(s, after)
	return s, okBefore && okAfter
}

// FindTarget returns the target that name means, and the canonical spelling of name.
func FindTarget(targets []Target, name string) (t Target, canonical string, ok bool) {
	for _, t := range targets {
		if t.Name == name && !t.hasParam() {
			return t, name, true
		}
	}
	for _, t := range targets {
		if !t.hasParam() {
			continue
		}
		if param, ok := t.Param(name); ok {
			return t, t.WithParam(param), true
		}
	}
	return Target{}, name, false
}

func (t Target) hasParam() bool { return strings.Contains(t.Name, "[") }

func targetNames(targets []Target) []string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = strings.ReplaceAll(t.Name, countParam, "[3]")
	}
	return names
}
