package gates

import (
	"fmt"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/stat"
	"github.com/org/mcp-gates/internal/trace"
)

// Measure scores the calls against the list of distractors.
func (d *distractors) Measure(tr *trace.Trace) judge.Measurement {
	list, err := d.injected(tr)
	if err != nil {
		return judge.Measurement{Err: err.Error()}
	}
	if why := d.tooFewMessage(tr.Runs, len(list)); why != "" {
		return judge.Measurement{Err: why}
	}
	s := newDistractorScore(list, d.correct, d.in.Servers)
	for i := range tr.Runs {
		s.countRun(&tr.Runs[i])
	}
	m := s.measurement()
	m.Curve, m.CurveAbsent = d.curvePoints(tr, s)
	return m
}

// tooFewMessage returns an error message if runs were offered fewer distractors than the suite asks for; "" otherwise.
func (d *distractors) tooFewMessage(runs []trace.Run, listed int) string {
	if listed < d.count {
		return fmt.Sprintf("the cassette lists %d of the %d distractors that \"count\" asks for; record again", listed, d.count)
	}
	few := 0
	for i := range runs {
		if offered := runs[i].Offered; offered.Known && offered.N < int64(d.count) {
			few++
		}
	}
	if few > 0 {
		return fmt.Sprintf("%d of %d runs were offered fewer than the %d distractors that \"count\" asks for; record again", few, len(runs), d.count)
	}
	return ""
}

// curvePoints scores each point of the curve separately. absent lists the points without a run.
func (d *distractors) curvePoints(tr *trace.Trace, s *distractorScore) (curve []judge.CurvePoint, absent []int) {
	scores := map[int]*distractorScore{}
	for _, at := range d.curve {
		scores[at] = s.empty()
	}
	for _, runs := range [][]trace.Run{tr.Runs, tr.Others} {
		for i := range runs {
			if score := scores[d.pointOf(&runs[i])]; score != nil {
				score.countRun(&runs[i])
			}
		}
	}
	for _, at := range d.curve {
		score := scores[at]
		if score.runs == 0 {
			absent = append(absent, at)
			continue
		}
		curve = append(curve, judge.CurvePoint{Count: at, Runs: score.runs, Accuracy: score.accuracy(), CertifiedLower: score.certified()})
	}
	return curve, absent
}

type distractorScore struct {
	position   positions
	correct    judge.Members
	needsNoHit bool // a run succeeds without a correct hit, because the block names no correct tool

	runs, calls, right, wrong, succeeded int
	chosen                               map[string]judge.Note
}

func newDistractorScore(list []catalog.Ref, correct, servers []string) *distractorScore {
	return &distractorScore{
		position:   newPositions(list),
		correct:    judge.NewMembers(correct, servers),
		needsNoHit: len(correct) == 0,
		chosen:     map[string]judge.Note{},
	}
}

func (s *distractorScore) empty() *distractorScore {
	return &distractorScore{position: s.position, correct: s.correct, needsNoHit: s.needsNoHit, chosen: map[string]judge.Note{}}
}

func (s *distractorScore) countRun(run *trace.Run) {
	rightBefore, wrongBefore := s.right, s.wrong
	for i := range run.Calls {
		s.countCall(run.Calls[i].Tool, run)
	}
	s.runs++
	s.calls += len(run.Calls)
	hasRight, hasWrong := s.needsNoHit || s.right > rightBefore, s.wrong > wrongBefore
	if hasRight && !hasWrong {
		s.succeeded++
	}
}

func (s *distractorScore) countCall(tool *trace.Tool, run *trace.Run) {
	if s.correct.Names(tool.Ref) {
		s.right++
		return
	}
	at := s.position.positionOf(tool.Ref)
	wasOffered := at != notFound && (!run.Offered.Known || int64(at) < run.Offered.N)
	if !wasOffered {
		return // another tool has the name of a distractor, or the model made the name up
	}
	s.wrong++
	tally(s.chosen, tool.ID(), run.Number)
}

func (s *distractorScore) accuracy() int {
	if s.right+s.wrong > 0 {
		return stat.FloorPercent(int64(s.right), int64(s.right+s.wrong))
	}
	if s.needsNoHit {
		return 100
	}
	return 0
}

// certified returns the rate of success that the runs prove, in percent. There must be at least one run.
func (s *distractorScore) certified() int { return stat.CertifiedLower(s.succeeded, s.runs) }

func (s *distractorScore) measurement() judge.Measurement {
	hits := fmt.Sprintf("correct hits %d, distractor hits %d", s.right, s.wrong)
	m := judge.Measurement{
		Values: map[string]judge.Value{
			choseTarget:     judge.Int(s.wrong, judge.Number),
			certifiedTarget: judge.Int(s.certified(), judge.Percent),
		},
		Absent: map[string]string{},
		Detail: map[string]string{certifiedTarget: fmt.Sprintf("%d of %d runs succeeded", s.succeeded, s.runs)},
	}
	if s.calls > 0 || s.needsNoHit {
		m.Values[accuracyTarget] = judge.Int(s.accuracy(), judge.Percent)
	} else {
		m.Absent[accuracyTarget] = judge.NoCall
	}
	m.Counts = map[string]int{"correct": s.right, "distractor": s.wrong, "succeeded": s.succeeded}
	m.Notes, m.Lists = tallyNotes(judge.Chosen, s.chosen), []string{judge.Chosen}
	hits += m.Among(judge.Chosen)
	m.Detail[accuracyTarget], m.Detail[choseTarget] = hits, hits
	return m
}
