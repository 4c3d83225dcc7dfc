// Package judge holds the contract of gates and the engine that judges their figures.
//
// A [Gate] is a value. Its Configure reads the gate's block of a suite and returns a [Plan]: a function that turns a trace into
// named figures and notes, and the expectations on the figures. Gates only measure; [Work.Evaluate] alone judges. Figures are exact
// (see [Value]), and a figure without evidence is absent, not 0. Renderings write a note by the row of its kind in [Kinds].
//
// Package gates holds the gates themselves.
package judge

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
	"github.com/org/mcp-gates/internal/yamlread"
)

// Gate is one kind of check that a suite can ask for.
type Gate struct {
	Name string // YAML key and id in reports
	Doc  string // Markdown; the first line is its title

	Keys    []Key    // keys of the gate's block, for the documentation
	Targets []Target // figures that an expectation can name
	Default []Floor  // expectations of a block without the key expect

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
	Keys     []Key // keys of the map, or of each map in the list
	OfFile   []Key // keys of a map that names a file with the list; such a map can replace the list
}

// These are the types of keys, as the pages in docs/gates name them.
const (
	TypeText         = "text"
	TypeTexts        = "text or list" // a text, or a list of texts
	TypeRegexp       = "regular expression"
	TypeBool         = "true or false"
	TypeWhole        = "whole number"
	TypeWholes       = "list of whole numbers"
	TypeNumber       = "number" // a number of 0 or more
	TypeRate         = "0 to 1"
	TypeShare        = "0 to 1, or percent" // 80% is 0.8
	TypePercent      = "percent"            // from 0 to 100; without a % sign, the number must be 0 or more than 1
	TypeClasses      = "list of classes"
	TypeExpectations = "list of expectations"
	TypeMap          = "map"                            // a map with Keys
	TypeMaps         = "list of maps"                   // a list of maps with Keys
	TypeMapsOrFile   = "list of maps, or map with file" // a list of maps with Keys, or a map with OfFile
	TypeMutations    = "auto or list of maps"
	TypeAutoMapsFile = "auto, list of maps, or map with file" // auto, a list of maps with Keys, or a map with OfFile
	TypeCatalog      = "path or tools"
	TypePatterns     = "list of tools or maps" // maps with Keys
	TypeSteps        = "list of steps"         // tools, or maps with Keys
	TypeArguments    = "map of arguments"
	TypeCounts       = "map of whole numbers"
	TypeDuration     = "duration"    // a text such as 90s, 1m30s or 500ms
	TypeFlowEnd      = "text or map" // a text, or a map with Keys
	TypeSeverities   = "map of severities"
)

// Target is a figure that an expectation can name. A name can contain one parameter: [K] is a whole number of 1 or more, and
// ["NAME"] is a quoted text.
type Target struct {
	Name string
	Unit Unit
	Doc  string

	OfChange bool // the figure compares the head with the base, so the base has no such figure
}

// Floor is an expectation in the defaults of a gate, such as {Target: "tool_selection.f1", Bound: ">= 50"}.
type Floor struct {
	Target, Bound string
	Unless        string // the default applies only if the figure of this target is absent; "" if it always applies
}

// Need is evidence that is prepared before a gate measures.
type Need uint8

// This evidence is prepared only if a gate needs it.
const (
	NeedCatalog Need = 1 << iota // trace.Catalog; without it, the gate is an error
	NeedTokens                   // trace.Surface, and trace.CurrentSurface if there are snapshots
	NeedRuns                     // there must be a run to judge; without one, the gate is an error
)

// Context has the parts of the suite and of the test that a gate can read besides its own block.
type Context struct {
	Test        string                                      // name of the test
	Servers     []string                                    // declared servers, sorted; see NewMembers
	NameFree    bool                                        // the test has discovery: {name_free: true}
	Classes     []Class                                     // TestClasses, otherwise the classes of another gate; nil if there are none
	TestClasses []Class                                     // value of the test's key classes; nil if it has none
	Faults      []fault.Fault                               // value of the test's key faults
	Runs        int                                         // value of the test's key runs, at least 1
	Snapshot    []*catalog.Tool                             // tools of the test's servers that have a snapshot; nil if none has
	Clients     []string                                    // presets of agents that the suite's tests name, sorted; nil if they name none
	Hidden      []*catalog.Tool                             // tools of the judged catalog that models are not offered
	SnapshotOf  func(server string) ([]*catalog.Tool, bool) // returns the snapshot of a declared server; false if it has none
}

// Class is an equal-function set: a named group of tools that do the same job.
type Class struct {
	Name    string
	Members []string // members as the suite writes them: bare or qualified
	Pos     source.Pos
	Places  []source.Pos // positions of Members in the suite; nil for classes that were not read from a suite
}

// Measurement is the result of measuring.
type Measurement struct {
	Values map[string]Value  // figures by target; an undefined figure is missing
	Absent map[string]string // reason why a figure is undefined, and advice on how to define it, by target
	Detail map[string]string // evidence for a figure, by target, for the message of a failed assertion; may be nil
	Err    string            // why the gate could not be evaluated at all; "" if it could
	Steps  int64             // cost of matching regular expressions, in the unit of Work
	Grounds

	Summary string                   // the figures in one line; "" for a gate without floors
	Breach  func(*Assertion) *Breach // returns the breach of an assertion that does not hold; nil for a gate without floors
}

// Check is a gate as one test configures it.
type Check struct {
	Gate *Gate
	Pos  source.Pos // position of the gate's key in the suite
	Plan Plan

	// Settings are the results of the function [Settings] for the gate's block.
	Settings []Setting
}

// A target's name can contain one of these parameters.
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

// Param returns the parameter that name has; "" for a target without a parameter. ok reports whether name means the target.
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
		if param, ok := t.Param(name); ok {
			if t.hasParam() {
				name = t.WithParam(param)
			}
			return t, name, true
		}
	}
	return Target{}, name, false
}

func (t Target) hasParam() bool { return strings.Contains(t.Name, "[") }

func targetNames(targets []Target) []string {
	return lists.Map(targets, func(t Target) string { return strings.ReplaceAll(t.Name, countParam, "[3]") })
}
