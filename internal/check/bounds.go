package check

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/judge"
)

// maxAsserted bounds what a case's expectations of each run add to the report, in bytes: there may be as many
// expectations as lines in a suite, and as many runs as lines in a cassette.
const maxAsserted = 64 << 20

// sizeOf returns about how many bytes an assertion takes in a report.
func sizeOf(a judge.Assertion) int {
	size := 64 + len(a.Target) + len(a.Matcher) + len(a.Message)
	switch actual := a.Actual.(type) {
	case string:
		size += len(actual)
	case []string:
		for _, s := range actual {
			size += len(s) + 3
		}
	case jsontext.Value:
		size += len(actual)
	}
	return size
}

// checkWork refuses a case that takes too much work: the results that there are so far say nothing.
func (k *caseCheck) checkWork() {
	if excess := k.work.Excess(); excess != "" {
		k.refused.Addf(k.Pos, "%s", excess)
		k.out.Gates, k.out.Expect = nil, nil
	}
}
