package imports

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/trace"
)

// Where selects runs by values in the log. An empty field selects all.
type Where struct {
	Prompt       string            // first message of the user, without surrounding white space
	PromptSHA256 string            // hash of that message, in hex
	Model        string            // the model that the log names, or the model that answered
	Cwd          string            // the folder in which the agent worked
	Metadata     map[string]string // values that the run must have
}

func (w *Where) matches(run *Run) bool {
	prompt := strings.TrimSpace(w.Prompt)
	switch {
	case prompt != "" && prompt != strings.TrimSpace(run.Prompt),
		w.PromptSHA256 != "" && !strings.EqualFold(w.PromptSHA256, trace.PromptSHA256(run.Prompt)),
		w.Model != "" && w.Model != run.Model && w.Model != run.ProviderModel,
		w.Cwd != "" && w.Cwd != run.Cwd:
		return false
	}
	for key, want := range w.Metadata {
		if got, ok := run.Metadata[key]; !ok || got != want {
			return false
		}
	}
	return true
}

// foundRuns describes the runs of a log, for the message that none of them is selected.
type foundRuns struct {
	runs    int
	prompts map[string]bool
	models  map[string]bool
}

// These constants bound a message: the number of prompts and models that are kept for it, and the number of characters of a
// prompt that are examined.
const (
	maxFound      = 1000
	maxPromptRead = 2000
)

func (f *foundRuns) addRun(run *Run, r *redact.Redactor) {
	f.runs++
	if f.prompts == nil {
		f.prompts, f.models = map[string]bool{}, map[string]bool{}
	}
	const shown = 80 // characters of a prompt or a model
	if len(f.prompts) < maxFound {
		clean := r.Text(source.Shorten(run.Prompt, maxPromptRead))
		oneLine := strings.Join(strings.Fields(clean), " ")
		f.prompts[source.Shorten(oneLine, shown)] = true
	}
	if run.Model != "" && len(f.models) < maxFound {
		f.models[source.Shorten(run.Model, shown)] = true
	}
}

func (f *foundRuns) noneChosenMessage() string {
	text := fmt.Sprintf("no run of %d is chosen by \"where\" and the prompt of the test; ", f.runs)
	if f.runs == 1 {
		text = "the one run is not chosen by \"where\" and the prompt of the test; "
	}
	text += "the prompts found are " + quotedFirst(f.prompts)
	if len(f.models) > 0 {
		text += ", the models " + quotedFirst(f.models)
	}
	return text
}

func quotedFirst(texts map[string]bool) string {
	const shown = 5
	all := slices.Sorted(maps.Keys(texts))
	return lists.AndMore(lists.Map(all[:min(shown, len(all))], strconv.Quote), len(all))
}
