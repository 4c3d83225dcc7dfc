package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/lint"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/report/text"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/spf13/pflag"
)

// ruleFlags select the rules that are applied, and the rules whose findings are shown.
type ruleFlags struct {
	preset    string
	hasPreset bool // --preset is given
	rules     []string
	disable   []string
	suite     string
	groupBy   string
}

func (f *ruleFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.preset, "preset", string(lint.PresetRecommended),
		"show the findings of these rules, `recommended` or all; if you give this flag, --fail-level counts only these")
	flags.StringArrayVar(&f.rules, "rule", nil, "apply and show only this `RULE`; repeatable")
	flags.StringArrayVar(&f.disable, "disable", nil, "do not apply this `RULE`; repeatable")
	flags.StringVar(&f.suite, "suite", "", "adapt the rules as this suite `FILE` does under defaults:")
	flags.StringVar(&f.groupBy, "group-by", "", "in the text format, list the findings by `rule` or by tool")
}

func (f *ruleFlags) check() error {
	if presets := presetNames(); !slices.Contains(presets, f.preset) {
		return unknownNameError("--preset", f.preset, "presets", presets)
	}
	if f.groupBy != "" && !slices.Contains(text.Groupings, f.groupBy) {
		return unknownNameError("--group-by", f.groupBy, "groupings", text.Groupings)
	}
	for _, id := range slices.Concat(f.rules, f.disable) {
		if err := checkRule(id); err != nil {
			return err
		}
	}
	return nil
}

func presetNames() []string {
	return lists.Map(lint.Presets, func(preset lint.Preset) string { return string(preset) })
}

// checkRule reports an id that no rule has. Case makes no difference.
func checkRule(id string) error {
	if _, ok := lint.Find(strings.ToUpper(id)); ok {
		return nil
	}
	return fmt.Errorf("unknown rule %q%s; the rules are %s", id, source.DidYouMean(strings.ToUpper(id), lint.IDs()),
		strings.Join(lint.IDs(), ", "))
}

// shownPreset returns the preset whose findings are shown. If rules are selected by name, all findings are shown.
func (f *ruleFlags) shownPreset() lint.Preset {
	if len(f.rules) > 0 && !f.hasPreset {
		return lint.PresetAll
	}
	return lint.Preset(f.preset)
}

// config returns the settings of the rules: those of the suite, which the flags override.
func (f *ruleFlags) config() (lint.Config, source.Errors) {
	var config lint.Config
	if f.suite != "" {
		files, name, err := workspaceOf("", f.suite)
		if err != nil {
			return config, source.Errors{{Pos: source.Pos{File: f.suite}, Msg: err.Error()}}
		}
		loaded, errs := suite.NewLoader(files).Load(name)
		if len(errs) > 0 {
			return config, errs
		}
		config = loaded.Rules.Config
	}
	disabled := map[string]bool{}
	for id := range config.Disable {
		disabled[id] = true
	}
	if len(f.rules) > 0 {
		for _, id := range lint.IDs() {
			disabled[id] = !slices.ContainsFunc(f.rules, func(rule string) bool { return strings.EqualFold(rule, id) })
		}
	}
	for _, id := range f.disable {
		disabled[strings.ToUpper(id)] = true
	}
	config.Disable = disabled
	return config, nil
}

// limitToPreset removes the findings outside of the preset from a lint or a difference. If the user chose the preset, the verdict
// also ignores them.
func (f *ruleFlags) limitToPreset(out interface {
	Show(lint.Preset)
	SetVerdict()
}) {
	out.Show(f.shownPreset())
	if f.hasPreset {
		out.SetVerdict()
	}
}
