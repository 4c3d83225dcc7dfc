package trend

import (
	"cmp"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
)

// dayWidth is the length of a day such as 2026-11-27.
const dayWidth = 10

// Fleet is the state of several repositories, made from the lines of their histories.
type Fleet struct {
	Day     string // the newest day in the lines; "" for none
	Members []Member
	Lines   []Line // lines of all repositories, by repository
}

// Member is one repository of a fleet. It has the state of the newest commit with figures.
type Member struct {
	Name, Commit, Date string
	Commits            int
	Cases              int
	Failing            []Failing // cases that do not pass
	Oldest             string    // date of the oldest recording; "" if none is known
	Standings          []Standing
	Gap                string // why a newer commit has no figures; "" if there is no such commit
}

// Failing is a case that does not pass.
type Failing struct{ Case, Verdict string }

// Standing is the current state of one figure of a repository.
type Standing struct {
	Of, Label      string
	Newest         string // with its unit
	Over30, Over90 string // change over 30 and 90 days; "" if the earlier value is not known
}

// These are titles and columns of a fleet.
const (
	FleetTitle   = "Fleet"
	Repositories = "Repositories"
	Standings    = "Figures by repository"
	NotPassing   = "Cases not passing"
	Same         = "±0"
)

// These are the columns of tables of a fleet. The title of a column with numbers ends in a colon.
var (
	MemberColumns   = []string{"Repository", "Newest commit", "Day", "Commits:", "Cases:", "Not passing:", "Oldest recording"}
	StandingColumns = []string{"Repository", "Of", "Figure", "Newest:", "Over 30 days:", "Over 90 days:"}
	GapColumns      = []string{"Repository", "Why"}
	FailingColumns  = []string{"Repository", "Case", "Verdict"}
)

// FleetOf sums up lines. All lines with the same repository name belong to one repository, even from different files.
func FleetOf(lines []Line) *Fleet {
	f := &Fleet{Lines: slices.Clone(lines)}
	sort.SliceStable(f.Lines, func(i, j int) bool {
		a, b := &f.Lines[i], &f.Lines[j]
		return cmp.Compare(a.Repository, b.Repository) < 0
	})
	for _, l := range f.Lines {
		f.Day = max(f.Day, l.Date[:dayWidth])
	}
	for rest := f.Lines; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(l Line) bool { return l.Repository != rest[0].Repository })
		if n < 0 {
			n = len(rest)
		}
		f.Members = append(f.Members, memberOf(rest[:n], f.Day))
		rest = rest[n:]
	}
	return f
}

func memberOf(lines []Line, day string) Member {
	m := Member{Name: lines[0].Repository}
	commits, gap := map[string]bool{}, Line{}
	for _, l := range lines {
		commits[l.Commit] = true
		isGap := l.Case == "" && l.Catalog == ""
		switch { // if two commits have the same second, the later line counts
		case isGap && l.Date >= gap.Date:
			gap = l
		case !isGap && l.Date >= m.Date:
			m.Date, m.Commit = l.Date, l.Commit
		}
	}
	m.Commits = len(commits)
	if gap.Date > m.Date {
		m.Gap = string(gap.Reason)
	}
	m.countCases(lines)
	m.addStandings(lines, day)
	return m
}

// countCases counts the cases of the newest commit.
func (m *Member) countCases(lines []Line) {
	seen := map[report.Optional]bool{}
	for _, l := range lines {
		if l.Commit != m.Commit || l.Case == "" || seen[l.Case] {
			continue
		}
		seen[l.Case] = true
		if l.Verdict != report.Optional(judge.Pass) {
			m.Failing = append(m.Failing, Failing{string(l.Case), string(l.Verdict)})
		}
		if l.Recorded != "" && (m.Oldest == "" || string(l.Recorded) < m.Oldest) {
			m.Oldest = string(l.Recorded)
		}
	}
	m.Cases = len(seen)
}

// addStandings adds the figures of the newest commit.
func (m *Member) addStandings(lines []Line, day string) {
	key := func(l *Line) [4]report.Optional { return [4]report.Optional{l.Case, l.Catalog, l.Gate, l.Target} }
	all := map[[4]report.Optional][]*Line{}
	for i := range lines {
		if lines[i].Value != nil {
			all[key(&lines[i])] = append(all[key(&lines[i])], &lines[i])
		}
	}
	for i := range lines {
		l := &lines[i]
		if l.Commit != m.Commit || l.Value == nil || all[key(l)] == nil {
			continue
		}
		label := Key{Gate: string(l.Gate), Target: string(l.Target)}
		m.Standings = append(m.Standings, Standing{
			Of: string(cmp.Or(l.Case, l.Catalog)), Label: label.Label(), Newest: withUnit(report.Grouped(string(*l.Value)), l.Unit),
			Over30: changeSince(l, all[key(l)], day, 30), Over90: changeSince(l, all[key(l)], day, 90),
		})
		delete(all, key(l)) // a repeated line counts once
	}
}

// dayOf returns a date as a count of days, so that the difference of two counts is the number of days between the dates.
func dayOf(date string) int {
	var part [3]int
	for i, text := range strings.SplitN(date[:min(len(date), dayWidth)], "-", len(part)) {
		part[i], _ = strconv.Atoi(text)
	}
	year, month, day := part[0], part[1], part[2]
	if month < 3 { // count years from March, so that a leap day is the last day of a year
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*month-457)/5 + day
}

// changeSince returns the difference between a figure and its value some days before day; "" if it had no value then.
func changeSince(now *Line, lines []*Line, day string, days int) string {
	var then *Line
	for _, l := range lines {
		if dayOf(l.Date) <= dayOf(day)-days && (then == nil || l.Date >= then.Date) {
			then = l
		}
	}
	if then == nil {
		return ""
	}
	from, _ := new(big.Rat).SetString(string(*then.Value))
	to, _ := new(big.Rat).SetString(string(*now.Value))
	by := to.Sub(to, from)
	if by.Sign() == 0 {
		return Same
	}
	digits := by.FloatString(4)
	digits = strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
	if strings.HasPrefix(digits, "-") {
		return "−" + withUnit(report.Grouped(digits[1:]), now.Unit)
	}
	return "+" + withUnit(report.Grouped(digits), now.Unit)
}

func withUnit(digits string, unit report.Optional) string {
	if unit == report.Optional(judge.Percent.String()) {
		return digits + "%"
	}
	return digits
}

// Headline returns a line with the numbers of repositories and cases, and how many do not pass.
func (f *Fleet) Headline() string {
	failing, cases := 0, 0
	for i := range f.Members {
		failing, cases = failing+len(f.Members[i].Failing), cases+f.Members[i].Cases
	}
	if f.Day == "" {
		return "no lines"
	}
	repositories := counted(len(f.Members), "repository")
	if len(f.Members) != 1 {
		repositories = report.Thousands(int64(len(f.Members))) + " repositories"
	}
	return repositories + " up to " + f.Day + ": " + counted(cases, "case") + ", " + report.Thousands(int64(failing)) + " not passing"
}

// Row returns the cells of a repository, for [MemberColumns].
func (m *Member) Row() []string {
	oldest := cmp.Or(m.Oldest[:min(len(m.Oldest), dayWidth)], report.Absent)
	return []string{m.Name, m.Commit[:min(len(m.Commit), 10)], m.Date[:min(len(m.Date), dayWidth)], report.Thousands(int64(m.Commits)), report.Thousands(int64(m.Cases)),
		report.Thousands(int64(len(m.Failing))), oldest}
}

// Rows returns the rows of figures, for [StandingColumns]. Unless all is set, figures that did not change in 90 days are left
// out.
func (f *Fleet) Rows(all bool) (rows [][]string) {
	for i := range f.Members {
		for _, s := range f.Members[i].Standings {
			hasMoved := isMove(s.Over30) || isMove(s.Over90)
			if all || hasMoved {
				rows = append(rows, []string{f.Members[i].Name, s.Of, s.Label, s.Newest, cmp.Or(s.Over30, report.Absent), cmp.Or(s.Over90, report.Absent)})
			}
		}
	}
	return rows
}

func isMove(change string) bool { return change != "" && change != Same }

// FailingRows returns the rows of cases that do not pass, for [FailingColumns].
func (f *Fleet) FailingRows() (rows [][]string) {
	for i := range f.Members {
		for _, one := range f.Members[i].Failing {
			rows = append(rows, []string{f.Members[i].Name, one.Case, one.Verdict})
		}
	}
	return rows
}

// GapRows returns a row for each repository with a newer commit that has no figures.
func (f *Fleet) GapRows() (rows [][]string) {
	for i := range f.Members {
		if m := &f.Members[i]; m.Gap != "" || m.Commit == "" {
			rows = append(rows, []string{m.Name, cmp.Or(m.Gap, "no commit has figures")})
		}
	}
	return rows
}
