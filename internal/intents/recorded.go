package intents

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/trace"
)

// Recorded collects the prompts of recorded runs, and the tools that the runs called.
type Recorded struct {
	rules *redact.Rules
	tools map[string]map[*trace.Tool]bool // by prompt; prompts are without secrets
	runs  int
	left  [unusableReasons]int // number of runs that were left out, by reason
}

// unusable is the reason why a run is left out.
type unusable int

const (
	brokeOff unusable = iota
	notKept
	manyPrompts
	noCalls
	unusableReasons
)

// runWords say why runs are left out.
var runWords = [unusableReasons]string{
	brokeOff:    "did not finish",
	notKept:     "without a recorded prompt",
	manyPrompts: "with several prompts",
	noCalls:     "without a call that succeeded",
}

// NewRecorded returns a collection without intents. rules remove the secrets from all prompts and names.
func NewRecorded(rules *redact.Rules) *Recorded {
	return &Recorded{rules: rules, tools: map[string]map[*trace.Tool]bool{}}
}

// Add adds the finished runs of a recording, with their calls that did not fail: a recording does not show which calls were
// right. Runs with several prompts are left out, because it is unknown which prompt led to a call.
func (r *Recorded) Add(runs []trace.Run, tools trace.Tools) {
	redactor := r.rules.File()
	for i := range runs {
		run := &runs[i]
		r.runs++
		prompt, n := promptOf(run)
		called := calledBy(run)
		switch {
		case run.Error != "":
			r.left[brokeOff]++
		case n == 0 || strings.TrimSpace(prompt) == "":
			r.left[notKept]++
		case n > 1:
			r.left[manyPrompts]++
		case len(called) == 0:
			r.left[noCalls]++
		default:
			prompt = redactor.Text(prompt)
			if r.tools[prompt] == nil {
				r.tools[prompt] = map[*trace.Tool]bool{}
			}
			for _, tool := range called {
				ref := tool.Ref
				ref.Name = redactor.Text(ref.Name)
				r.tools[prompt][tools.Of(ref)] = true
			}
		}
	}
}

func promptOf(run *trace.Run) (prompt string, n int) {
	for i := range run.Turns {
		if run.Turns[i].Role != "user" {
			continue
		}
		n++
		if n == 1 {
			prompt = run.Turns[i].Content
		}
	}
	return prompt, n
}

// calledBy returns the tools of the calls that did not fail, except an agent's own, such as a shell.
func calledBy(run *trace.Run) (tools []*trace.Tool) {
	for i := range run.Calls {
		call := &run.Calls[i]
		isOwnTool := call.Search() != nil || call.Tool.Server == trace.BuiltinServer
		if !call.Failed && !isOwnTool {
			tools = append(tools, call.Tool)
		}
	}
	return tools
}

// Pair is a prompt and the names of the tools that runs with it called.
type Pair struct {
	Query string   `json:"query"`
	Gold  []string `json:"gold"`
}

// Pairs returns the intents, sorted. If several servers have tools of the same name, the name has the server in front.
func (r *Recorded) Pairs() []Pair {
	servers := map[string]map[string]bool{}
	for _, tools := range r.tools {
		for tool := range tools {
			if servers[tool.Name] == nil {
				servers[tool.Name] = map[string]bool{}
			}
			servers[tool.Name][tool.Server] = true
		}
	}
	var pairs []Pair
	for _, prompt := range slices.Sorted(maps.Keys(r.tools)) {
		one := Pair{Query: prompt}
		for tool := range r.tools[prompt] {
			name := tool.Name
			if len(servers[name]) > 1 {
				name = tool.ID()
			}
			one.Gold = append(one.Gold, name)
		}
		slices.Sort(one.Gold)
		pairs = append(pairs, one)
	}
	return pairs
}

// Said returns a sentence with the numbers of intents and runs, and of the runs that were left out.
func (r *Recorded) Said() string {
	said := fmt.Sprintf("intents: %d, of runs: %d", len(r.tools), r.runs)
	var why []string
	for i, n := range r.left {
		if n > 0 {
			why = append(why, fmt.Sprintf("%d %s", n, runWords[i]))
		}
	}
	if len(why) > 0 {
		said += "; left out: " + strings.Join(why, ", ")
	}
	return said
}
