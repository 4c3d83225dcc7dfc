package lint

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
)

func TestScore(t *testing.T) {
	letters := func(n int) string { return strings.Repeat("天", n) }
	tests := []struct {
		name  string
		tool  catalog.Tool
		parts [6]int // presence, length, parameters, conciseness, returns, annotations
	}{
		{"nothing", catalog.Tool{Name: "a"}, [6]int{0, 0, 10000, 0, 0, 0}},
		{"white space", catalog.Tool{Name: "a", Description: " \n "}, [6]int{0, 0, 10000, 0, 0, 0}},
		{"repeats its name", catalog.Tool{Name: "get_it", Description: "Get it."}, [6]int{0, 875, 10000, 10000, 0, 0}},
		{"79 characters", catalog.Tool{Description: letters(79)}, [6]int{10000, 9875, 10000, 10000, 0, 0}},
		{"81 characters", catalog.Tool{Description: " " + letters(81)}, [6]int{10000, 10000, 10000, 10000, 0, 0}},
		{"17 characters", catalog.Tool{Description: letters(17)}, [6]int{10000, 2125, 10000, 10000, 0, 0}},
		{"500 characters", catalog.Tool{Description: letters(500)}, [6]int{10000, 10000, 10000, 10000, 0, 0}},
		{"501 characters", catalog.Tool{Description: letters(501)}, [6]int{10000, 10000, 10000, 9990, 0, 0}},
		{"1499 characters", catalog.Tool{Description: letters(1499)}, [6]int{10000, 10000, 10000, 10, 0, 0}},
		{"1500 characters", catalog.Tool{Description: letters(1500)}, [6]int{10000, 10000, 10000, 0, 0, 0}},
		{"9999 characters", catalog.Tool{Description: letters(9999)}, [6]int{10000, 10000, 10000, 0, 0, 0}},
		{"returns", catalog.Tool{Description: "Returns"}, [6]int{10000, 875, 10000, 10000, 10000, 0}},
		{"output schema alone", catalog.Tool{OutputSchema: jsontext.Value(` {}`)}, [6]int{0, 0, 10000, 0, 10000, 0}},
		{"output schema null", catalog.Tool{OutputSchema: jsontext.Value(`null`)}, [6]int{0, 0, 10000, 0, 0, 0}},
		{"one of three parameters", catalog.Tool{InputSchema: jsontext.Value(`{"properties": {"a": {"description": "x"}, "b": {"description": " "}, "c": true}}`)},
			[6]int{0, 0, 3333, 0, 0, 0}},
		{"no properties", catalog.Tool{InputSchema: jsontext.Value(`{"properties": {}}`)}, [6]int{0, 0, 10000, 0, 0, 0}},
		{"schema null", catalog.Tool{InputSchema: jsontext.Value(`null`)}, [6]int{0, 0, 10000, 0, 0, 0}},
		{"annotations empty", catalog.Tool{Annotations: jsontext.Value(`{}`)}, [6]int{0, 0, 10000, 0, 0, 5000}},
		{"hint null", catalog.Tool{Annotations: jsontext.Value(`{"readOnlyHint": null, "title": true}`)}, [6]int{0, 0, 10000, 0, 0, 5000}},
		{"hint false", catalog.Tool{Annotations: jsontext.Value(`{"openWorldHint": false}`)}, [6]int{0, 0, 10000, 0, 0, 10000}},
		{"annotations null", catalog.Tool{Annotations: jsontext.Value(`null`)}, [6]int{0, 0, 10000, 0, 0, 0}},
		{"annotations a list", catalog.Tool{Annotations: jsontext.Value(`["readOnlyHint"]`)}, [6]int{0, 0, 10000, 0, 0, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := newView(&test.tool)
			got := [6]int{v.presenceScore(), v.lengthScore(), v.argumentsScore(), v.concisenessScore(), v.returnsScore(), v.annotationsScore()}
			if diff := cmp.Diff(test.parts, got); diff != "" {
				t.Errorf("parts of %+v differ (-want +got):\n%s", test.tool, diff)
			}
			sum := 0
			for _, part := range test.parts {
				sum += part
			}
			if got, want := v.score(), sum/6; got != want {
				t.Errorf("the score is %d, want %d", got, want)
			}
		})
	}
}

func TestScoresOfCatalog(t *testing.T) {
	cat := &catalog.Catalog{Tools: []*catalog.Tool{{Name: "a"}, {Name: "b", Description: "Returns"}, {Name: "c"}}}
	got := Check(cat, Config{})
	if diff := cmp.Diff([]int{1666, 6812, 1666}, got.Scores); diff != "" {
		t.Errorf("scores differ (-want +got):\n%s", diff)
	}
	if got.Min != 1666 || got.Mean != 3381 || !got.HasScores {
		t.Errorf("min %d, mean %d, has scores %t; want 1666, 3381, true", got.Min, got.Mean, got.HasScores)
	}
}

// TestScoredRules holds that a part of the score is lower for the findings of a rule which is said to be scored.
func TestScoredRules(t *testing.T) {
	for _, rule := range Rules {
		if !rule.Scored {
			continue
		}
		bad, good := newView(readCatalog(t, "bad.json", "["+rule.Bad+"]").Tools[0]), newView(readCatalog(t, "good.json", "["+rule.Good+"]").Tools[0])
		lower := bad.presenceScore() < good.presenceScore() || bad.lengthScore() < good.lengthScore() || bad.argumentsScore() < good.argumentsScore() ||
			bad.concisenessScore() < good.concisenessScore() || bad.returnsScore() < good.returnsScore() || bad.annotationsScore() < good.annotationsScore()
		if !lower {
			t.Errorf("%s: no part of the score of the tool with the finding is lower", rule.ID)
		}
	}
}
