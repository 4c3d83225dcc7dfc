package judge

import (
	"slices"

	"github.com/org/mcp-gates/internal/yamlread"
)

func readNotContains(arg yamlread.Value, unwanted any) (Matcher, bool) {
	if unwanted == "" {
		arg.Errorf(`"not_contains" must not be empty: every text holds an empty one`)
		return Matcher{}, false
	}
	return Matcher{test: func(actual any, _ *Work) (bool, string) {
		holds, why := contains(actual, unwanted)
		return !holds && why == "", why
	}}, true
}

// readNotRegex reads a regular expression that must not match. Once the case has used up its work for matching, every text fails
// the matcher.
func readNotRegex(arg yamlread.Value, unwanted any) (Matcher, bool) {
	pattern, ok := patternOf("not_regex", arg, unwanted)
	if !ok {
		return Matcher{}, false
	}
	return Matcher{test: func(actual any, work *Work) (bool, string) {
		matches, why := pattern.matchAny(actual, work)
		return !matches && why == "" && work.Excess() == "", why
	}}, true
}

func readNotOneOf(arg yamlread.Value, unwanted any) (Matcher, bool) {
	values, ok := unwanted.([]any)
	if !ok || len(values) == 0 {
		arg.Errorf(`"not_one_of" must be a list of one or more values, found %s`, describeList(arg, ok))
		return Matcher{}, false
	}
	return Matcher{test: func(actual any, work *Work) (bool, string) {
		list, _ := actual.([]any)
		cost := costOf(actual)
		for _, value := range values {
			if !work.Spend(cost) {
				return false, tooMuchWork
			}
			equalsValue := func(item any) bool { return equalJSON(item, value) }
			if equalsValue(actual) || slices.ContainsFunc(list, equalsValue) {
				return false, "found " + Clip(CompactJSON(value))
			}
		}
		return true, ""
	}}, true
}
