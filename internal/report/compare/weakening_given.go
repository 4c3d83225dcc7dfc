package compare

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/gates"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/trace"
)

// Rules of settings that decide the meaning of others, and of those that the runs were made with.

// gate judges a gate that only one side has.
func (s settingChange) gate() string {
	if s.removed() {
		return report.GateRemoved
	}
	switch s.key {
	case gates.EqualFunctionSets.Name, gates.TokenEfficiency.Name:
		return when(s.reclassified(), report.OthersChanged)
	case gates.Distractors.Name:
		_, curve := s.after[distractorCurve]
		return when(curve || !slices.Equal(s.after[distractorCount].values(), []string{"0"}), report.OthersChanged)
	}
	return ""
}

const (
	distractorCount = "distractors.count"
	distractorCurve = "distractors.curve"
)

// takers are the gates that take the classes of others.
var takers = []*judge.Gate{gates.Orchestration, gates.Trajectory, gates.GoldenPath, gates.Recovery}

// reclassified reports whether a gate that both sides have takes other classes than it did.
func (d *judgeDiff) reclassified() bool {
	return slices.ContainsFunc(takers, func(g *judge.Gate) bool {
		return takesClasses(d.before, g) && takesClasses(d.after, g) &&
			!sameClasses(takenClasses(d.before, g.Name), takenClasses(d.after, g.Name))
	})
}

// takesClasses reports whether there is the gate, and classes decide its figures: those of steps only where a step names one.
func takesClasses(side map[string]setting, g *judge.Gate) bool {
	if g != gates.Trajectory && g != gates.GoldenPath {
		return len(side[g.Name]) > 0
	}
	return slices.ContainsFunc(side[g.Name+".steps"].items(), func(step string) bool {
		var named struct {
			Class string `json:"class"`
		}
		err := json.Unmarshal([]byte(step), &named)
		return named.Class != "" || err != nil && strings.HasPrefix(step, "[") // a list that is too long to be kept
	})
}

// distractors judges how many there are. With a curve that is also which runs are judged, and orchestration takes
// distractors for tools that there are.
func (s settingChange) distractors() string {
	sign, ok := s.sign()
	switch {
	case !ok:
		return report.SettingChanged
	case sign < 0:
		return report.FewerDistractors
	}
	others := len(s.before[distractorCurve])+len(s.after[distractorCurve])+len(s.before[gates.Orchestration.Name]) > 0
	return when(others, report.OthersChanged)
}

// order judges a list that holds the same in another order.
func (s settingChange) order() string {
	switch {
	case last("classes")(s.shape):
		return s.inClasses()
	case s.shape == "faults":
		return report.SettingChanged
	case !last("source.of")(s.shape):
		return ""
	}
	// All tools are imitated in one way before the first is imitated in another: with all ways used up the order is that
	// of the list alone.
	all := big.NewRat(int64(gates.NearDuplicateKinds()*len(s.head.items())), 1)
	count, ok := report.Digits(string(s.after[distractorCount].text()))
	return when(!ok || count.Cmp(all) < 0, report.OrderChanged)
}

// inClasses judges settings that the classes as a whole decide.
func (s settingChange) inClasses() string { return s.classes[s.key] }

// meaning judges how a member with a dot in it is read. One that only one side has is reported where it stands.
func (s settingChange) meaning() string {
	return when(!s.added() && !s.removed(), report.MeaningChanged)
}

// unlisted judges the servers whose tools nobody knows, where no recording has them: calls to them are left out.
func (s settingChange) unlisted() string {
	if s.added() || s.removed() || s.keeps(trace.KeepsCatalog) {
		return ""
	}
	return grown(report.ServersLeftOut)(s)
}

// price judges what a model costs. Two models have two prices.
func (s settingChange) price() string {
	if s.before[trace.KeepsModel].text() != s.after[trace.KeepsModel].text() {
		return ""
	}
	return moved(-1, report.PriceLowered)(s)
}

// snapshot judges which catalog a server has. A server that joins the test of an agent brings its own, and a first one
// gives the test more to go by.
func (s settingChange) snapshot() string {
	return when(!s.added() || len(s.after["runs"]) == 0, report.SettingChanged)
}

// given judges the prompts, model and servers of the agent. Where the recording keeps it, a change makes the recording stale, and the case an
// error until it is recorded again.
func (s settingChange) given() string {
	kept := s.keeps(s.key)
	switch {
	case s.added():
		return ""
	case s.removed() && s.key == trace.KeepsSystemPrompt && len(s.after[trace.KeepsPrompt]) > 0 && kept:
		return report.GivenChanged // a case with a prompt has a system prompt, if only an empty one
	case s.removed():
		return report.GivenRemoved
	case kept:
		return report.GivenChanged
	}
	return report.GivenUnkept
}

// agent judges the program that runs the case. One that is new makes other runs than the recording has, unless that keeps it.
func (s settingChange) agent() string {
	if s.added() && !s.keeps(s.key) {
		return report.GivenUnkept
	}
	return s.given()
}

// keeps reports whether the recordings say what they were made with, or were made just now.
func (d *judgeDiff) keeps(what string) bool {
	lacks := func(r report.Recording) bool { return !slices.Contains(r.Keeps, what) }
	return d.live || len(d.head.Recordings) > 0 && !slices.ContainsFunc(d.head.Recordings, lacks)
}

// faults judges the order of faults: a new one before an old one can take its calls. One that is gone is reported by its times.
func (s settingChange) faults() string {
	if s.added() || s.removed() {
		return ""
	}
	head := s.head.items()
	left := slices.DeleteFunc(s.base.items(), func(one string) bool { return !slices.Contains(head, one) })
	isFirst := len(left) <= len(head) && slices.Equal(left, head[:len(left)])
	return when(s.base.cut() || s.head.cut() || !isFirst, report.SettingChanged)
}
