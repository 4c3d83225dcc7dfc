package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/org/mcp-gates/e2e/repo"
)

func TestSizes(t *testing.T) {
	play(t, []scenario{
		{"1,000 findings", thousandFindings},
		{"1,000 annotations", thousandAnnotations},
		{"5,000 cases", thousandsOfCases},
	})
}

func thousandFindings(w *world) {
	base := weather()
	w.open(base, base.With(repo.Files{"mcp-gates.yml": shabbySuite, "catalogs/shabby.json": shabby(170)}))
	j := w.job()
	status := w.gates(j.Workspace)
	o := w.run(j, status)
	k := o.check()
	if len(k.Annotations) != 200 || len(k.Batches) != 4 {
		w.Errorf("%d annotations in batches of %v, want 200 in 4", len(k.Annotations), k.Batches)
	}
	w.says("the summary", o.Summary, "Not annotated, because there are too many: 312 warnings.")
	// Six a tool, and one of the catalog as a whole.
	w.outputs(o, map[string]string{"new-findings": "1021", "critical": "170"})
	if worst := strings.Count(titles(k), "failure"); worst != 171 {
		w.Errorf("%d of the annotations are failures, want all 171: the worst come first", worst)
	}

	w.restrict(readOnly)
	j = w.job()
	o = w.run(j, status)
	if n := len(o.Annotations()); n != 20 {
		w.Errorf("%d annotations in the log, want ten errors and ten warnings", n)
	}
	w.says("the summary", o.Summary, "161 failures, 333 warnings")
}

func thousandAnnotations(w *world) {
	base := weather()
	w.open(base, base.With(repo.Files{"mcp-gates.yml": shabbySuite, "catalogs/shabby.json": shabby(340)}))
	j := w.job()
	j.Inputs["max-annotations"] = "1000"
	k := w.run(j, w.gates(j.Workspace)).check()
	if len(k.Annotations) != 1000 || len(k.Batches) != 20 {
		w.Errorf("%d annotations in batches of %v, want 1,000 in 20", len(k.Annotations), k.Batches)
	}
}

func thousandsOfCases(w *world) {
	base := many(5000)
	head := base.With(repo.Files{})
	for i := 1; i < 5000; i += 100 {
		name := fmt.Sprintf("cassettes/%d.json", i)
		head[name] = strings.ReplaceAll(base[name], "get_weather", "list_alerts")
	}
	w.open(base, head)
	j := w.job()
	o := w.run(j, w.gates(j.Workspace))
	w.outputs(o, map[string]string{"cases": "5000", "failed": "550", "passed": "4450", "regressions": "50"})
	if k := o.check(); len(k.Annotations) != 50 {
		w.Errorf("%d annotations, want those of the 50 cases that fail now", len(k.Annotations))
	}
	body := w.one().Body
	if n := utf8.RuneCountInString(body); n > 60_000 {
		w.Errorf("a comment of %d characters", n)
	}
	w.says("the comment", body, "550 of 5000 cases failed", "now fails", "job summary")
	w.says("the summary", o.Summary, "550 of 5000 cases failed")
	w.Logf("summary of %d bytes, comment of %d, %v of CPU", len(o.Summary), len(body), o.CPU)
	o.atMost(20)
}

// From the start of the container to the comment, a suite of fifty cases takes less than 0.3 s of CPU.
func TestCost(t *testing.T) {
	w := newWorld(t)
	base := weather().With(many(50))
	base["mcp-gates.yml"] = strings.Replace(base["mcp-gates.yml"], "agents:", "servers:\n  weather:\n    catalog: catalogs/weather.json\nagents:", 1)
	head := base.With(repo.Files{
		"cassettes/1.json":      strings.ReplaceAll(base["cassettes/1.json"], "get_weather", "list_alerts"),
		"catalogs/weather.json": catalog(getWeather, listAlerts, tool("get_tides", "Read when the water is high at one city on the coast. Returns a list of times in UTC.")),
	})
	w.open(base, head)
	best := time.Hour
	for try := range 3 { // other tests take the processor, too
		j := w.job()
		j.Name = fmt.Sprint("job", try)
		o := w.run(j, 1)
		o.atMost(15)
		best = min(best, o.CPU)
	}
	t.Logf("%v of CPU", best)
	if limit := 300 * time.Millisecond; best > limit {
		t.Errorf("%v of CPU, want less than %v", best, limit)
	}
}
