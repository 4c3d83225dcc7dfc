package trend

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/judge"
	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
)

// These constants bound the lines that are read, because their author may be hostile.
const (
	maxLine  = 64 << 10 // bytes of a line
	maxLines = 500_000  // lines of all files together
	maxWrong = 100      // mistakes of a file
)

var (
	hashForm    = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	dateForm    = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$`)
	decimalForm = regexp.MustCompile(`^-?\d{1,18}(\.\d{1,18})?$`)
	verdicts    = []string{string(judge.Pass), string(judge.Fail), string(judge.Error), string(judge.Skipped)}
)

// isDate reports whether a text is a day and a time that exist, as a history writes them.
func isDate(text string) bool {
	if !dateForm.MatchString(text) {
		return false
	}
	const monthEnd = len("2026-11")
	month, _ := strconv.Atoi(text[len("2026-"):monthEnd])
	return month == 12 || dayOf(text) < dayOf(fmt.Sprintf("%.4s-%02d-01", text, month+1))
}

// Reader reads the lines of histories.
type Reader struct {
	Lines []Line
	Errs  source.Errors

	words map[string]string
}

// Read adds the lines of a file. Each mistake is kept with its place.
func (r *Reader) Read(file string, in io.Reader) {
	if r.words == nil {
		r.words = map[string]string{}
	}
	from, before := bufio.NewReaderSize(in, maxLine), len(r.Errs)
	for number := 1; ; number++ {
		at := source.Pos{File: file, Line: number, Col: 1}
		text, err := from.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			r.Errs.Addf(at, "the line has more than %d bytes, expected a line of a history", maxLine)
			return
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if len(r.Lines) == maxLines {
				r.Errs.Addf(at, "found more than %s in all files, expected fewer", counted(maxLines, "line"))
				return
			}
			r.readLine(at, text)
		}
		if err != nil {
			if err != io.EOF {
				r.Errs.Addf(at, "cannot be read: %v", err)
			}
			return
		}
		if len(r.Errs)-before >= maxWrong {
			return
		}
	}
}

func (r *Reader) readLine(at source.Pos, text []byte) {
	one := lineReader{from: jsonread.NewBytes(text)}
	one.from.Fields("the line", one.readKey)
	one.from.End()
	if one.from.Clean() {
		one.checkRequired()
	}
	for _, err := range one.from.Errors(at.File, bytes.NewReader(text)) {
		err.Pos.Line = at.Line
		r.Errs.Addf(err.Pos, "%s", err.Msg)
	}
	l := &one.line
	for _, word := range []*string{&l.Repository, &l.Commit, &l.Date, (*string)(&l.Suite), (*string)(&l.Case), (*string)(&l.Model), (*string)(&l.Catalog),
		(*string)(&l.Gate), (*string)(&l.Target), (*string)(&l.Unit), (*string)(&l.Verdict), (*string)(&l.Matcher), (*string)(&l.Reason), (*string)(&l.Recorded)} {
		*word = r.shared(*word)
	}
	if one.from.Clean() {
		r.Lines = append(r.Lines, *l)
	}
}

// shared returns the word. Equal words share their memory.
func (r *Reader) shared(word string) string {
	if known, ok := r.words[word]; ok {
		return known
	}
	r.words[word] = word
	return word
}

type lineReader struct {
	from *jsonread.Reader
	line Line
}

// readKey reads the value of one key. Unknown keys are skipped, because a newer version may have written them.
func (l *lineReader) readKey(key string) {
	texts := map[string]*report.Optional{"suite": &l.line.Suite, "case": &l.line.Case, "model": &l.line.Model, "catalog": &l.line.Catalog, "gate": &l.line.Gate,
		"target": &l.line.Target, "unit": &l.line.Unit, "verdict": &l.line.Verdict, "matcher": &l.line.Matcher, "reason": &l.line.Reason, "recorded": &l.line.Recorded}
	required := map[string]*string{"repository": &l.line.Repository, "commit": &l.line.Commit, "date": &l.line.Date}
	l.from.Kind() // moves behind the colon, so that the offset is the value's
	offset := l.from.Offset()
	isKnown := texts[key] != nil || slices.Contains([]string{"value", "runs", "holds"}, key)
	switch {
	case required[key] != nil:
		text, _ := l.from.String(key)
		*required[key] = text
	case !isKnown || l.from.Null():
		return
	case key == "value":
		l.readValue(offset)
	case key == "runs":
		n, _ := l.from.Int(key)
		l.line.Runs = new(int(n))
	case key == "holds":
		holds, _ := l.from.Bool(key)
		l.line.Holds = &holds
	default:
		text, _ := l.from.String(key)
		*texts[key] = report.Optional(text)
		if key == "verdict" && !slices.Contains(verdicts, text) {
			l.from.Mistakef(offset, "%s must be one of %s, found %q", key, strings.Join(verdicts, ", "), source.Shorten(text, 60))
		}
		if key == "recorded" && !isDate(text) {
			l.from.Mistakef(offset, "recorded must be a date such as 2026-01-31T10:00:00Z, found %q", source.Shorten(text, 60))
		}
	}
}

// readValue reads a figure. It refuses exponents, because the number could be of any length when it is written out.
func (l *lineReader) readValue(offset int64) {
	text, ok := l.from.Number("value")
	if !ok {
		return
	}
	if !decimalForm.MatchString(text) {
		l.from.Mistakef(offset, "value must be a number of at most 18 digits on each side of the point, found %s", source.Shorten(text, 60))
		return
	}
	l.line.Value = new(json.Number(text))
}

// checkRequired reports the required keys that are missing in a line or have an invalid value.
func (l *lineReader) checkRequired() {
	wrong := func(key, found, expected string) {
		l.from.Mistakef(0, "%s must be %s, found %q", key, expected, source.Shorten(found, 60))
	}
	if l.line.Repository == "" {
		wrong("repository", "", "the name of a repository")
	}
	if !hashForm.MatchString(l.line.Commit) {
		wrong("commit", l.line.Commit, "the hash of a commit")
	}
	if !isDate(l.line.Date) {
		wrong("date", l.line.Date, "a date such as 2026-01-31T10:00:00Z")
	}
}
