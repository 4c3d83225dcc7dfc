package trend

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
)

// These are titles and lines of a page.
const (
	FiguresTitle = "Figures that moved"
	StepsTitle   = "Commits in which figures moved"
	DetailsTitle = "The biggest steps, each against its parent"
	GapsTitle    = "Not evaluated"
	NewFindings  = "New findings"
	NoParent     = "the commit has no parent to compare with"
	NothingNew   = "no tool changed, and no finding is new"
)

// StepColumns are the columns of a table of commits.
var StepColumns = []string{"Commit", "Date", "Author", "Subject", "What moved"}

// These constants bound what a page shows.
const (
	MostSubjects = 300    // cases and catalogs
	MostRows     = 2000   // commits
	MostCompared = 20     // commits that are compared with their parents
	MostChanged  = 12     // tools, and findings, of one compared commit
	maxPoints    = 60_000 // points of all curves together
	minPoints    = 40     // points that each curve may have at least
)

// Subject is a case or a catalog, with its figures that moved.
type Subject struct {
	Name   string
	Moves  []Move
	Charts []Chart
}

// Chart has the figures of a subject that are drawn on one scale.
type Chart struct {
	Unit  string // unit of the figures; "verdict" for a verdict
	Moves []Move
}

// Subjects groups the figures that moved by their case or catalog. The subject with the biggest step comes first.
func Subjects(moves []Move) (list []Subject) {
	at := map[Key]int{}
	for _, m := range moves {
		key := Key{Case: m.Case, Catalog: m.Catalog}
		i, known := at[key]
		if !known {
			i = len(list)
			at[key] = i
			list = append(list, Subject{Name: m.Of()})
		}
		list[i].Moves = append(list[i].Moves, m)
	}
	for i := range list {
		list[i].Charts = charts(list[i].Moves)
	}
	biggest := func(s Subject) (size float64) {
		for _, m := range s.Moves {
			size = max(size, m.Biggest.Size)
		}
		return size
	}
	lists.SortStable(list, func(a, b *Subject) int { return cmp.Compare(biggest(*b), biggest(*a)) })
	return list
}

// sameScale is the greatest ratio between the highest values of two figures in one chart. If the ratio is greater, the lower
// curve would look flat, so it gets its own chart.
const sameScale = 8

// charts groups figures by unit and by scale, see sameScale.
func charts(moves []Move) (list []Chart) {
	sorted := slices.Clone(moves)
	lists.SortStable(sorted, func(a, b *Move) int {
		return cmp.Or(cmp.Compare(b.unit(), a.unit()), cmp.Compare(b.highest(), a.highest()))
	})
	for _, m := range sorted {
		last := len(list) - 1
		if last < 0 || list[last].Unit != m.unit() || list[last].Moves[0].highest() > sameScale*max(m.highest(), 0) {
			list = append(list, Chart{Unit: m.unit()})
			last++
		}
		list[last].Moves = append(list[last].Moves, m)
	}
	return list
}

func (m *Move) unit() string {
	if m.First.State != "" {
		return "verdict"
	}
	return m.First.Figure.Unit.String()
}

func (m *Move) highest() float64 {
	_, high := m.bounds()
	return high
}

// Drawn returns the number of points that each curve may have if a page has this many curves.
func Drawn(curves int) int { return max(maxPoints/max(curves, 1), minPoints) }

// Drawing writes where a curve changes: "3:80" means 80 from commit 3 on, and "5:" means no value from commit 5 on. most bounds the
// number of changes. If a curve has more, only as many commits as most, at equal distances, are read.
func (s *Series) Drawing(most int) string {
	text, changes := s.drawing(len(s.Values))
	if changes > most {
		text, _ = s.drawing(most)
	}
	return text
}

// drawing returns where a curve changes, as seen at this many commits at equal distances, and how often it changes.
func (s *Series) drawing(columns int) (text string, changes int) {
	var b strings.Builder
	before := ""
	for i := range columns {
		at := (i+1)*len(s.Values)/columns - 1
		now := ""
		if v := s.Values[at]; v != nil {
			now = strconv.FormatFloat(v.height(), 'g', 6, 64)
		}
		if now == before {
			continue
		}
		if changes > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(at) + ":" + now)
		before = now
		changes++
	}
	return b.String(), changes
}

// Commits lists the hash and the day of every commit, for the axis of curves.
func (h *History) Commits() string {
	list := make([]string, len(h.Points))
	for i, p := range h.Points {
		list[i] = p.Short() + " " + p.Day()
	}
	return strings.Join(list, ",")
}

// Heading returns the title of the history's page.
func (h *History) Heading() string { return Title + " of " + h.Repository }

// Figures returns a text with the number of figures that moved.
func (h *History) Figures(moves []Move) string {
	if len(moves) == 0 {
		return NoneMoved
	}
	line := counted(len(moves), "figure") + " moved"
	if still := len(h.Series()) - len(moves); still > 0 {
		line += ", and " + counted(still, "other") + " did not, which the page leaves out"
	}
	return line
}

// MovedIn returns a text with the number of figures that moved in a commit.
func (t *Turn) MovedIn() string { return counted(len(t.Steps), "figure") }

// LeftUncompared returns a text with the number of commits that are not compared with their parents; "" if there are none.
func LeftUncompared(turns int) string {
	if turns <= MostCompared {
		return ""
	}
	return counted(turns-MostCompared, "commit") + " with smaller steps are not compared here: `mcp-gates run --baseline COMMIT~1` in a checkout of one shows it"
}
