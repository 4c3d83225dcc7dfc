package suite

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/yamlread"
	"golang.org/x/text/unicode/norm"
)

// cassette is a path or a glob of recordings that a case reads.
type cassette struct {
	path string
	pos  source.Pos // position of the path; of the test if it inherits cassette:, and of the test's name if it has no cassette:
	test claimant

	isOwn bool // no other test may have it as its own: the default, or the recording that a row of a table names
}

// claimant is a test that reads cassettes. All claimants are kept, and a draft would take too much memory for that.
type claimant struct {
	number       int // number of the test in the suite
	name         string
	of           *entry
	choosesModel bool // the cases of a matrix read one log; each takes the runs of its own model
}

func (d *draft) claimant() claimant {
	return claimant{number: d.number, name: d.Name, of: d.of, choosesModel: d.Log != nil && d.Matrix}
}

// readCassette reads cassette: a path, a glob or a list of them, or a map that names logs of another program. It returns nil if
// the default applies, and an empty list if the value holds no path.
func (r *reader) readCassette(m *yamlread.Map, d *draft) []yamlread.Value {
	d.CassettePos = d.Pos
	v, ok := m.Value("cassette")
	if !ok {
		return nil
	}
	d.CassettePos = v.Pos()
	d.inherits = !m.HasOwn("cassette")
	if v.Kind() == yamlread.MapKind {
		log, _ := v.Map()
		if v, ok = r.readLog(log, d); !ok {
			return []yamlread.Value{}
		}
	}
	items := []yamlread.Value{v}
	switch v.Kind() {
	case yamlread.ListKind:
		items = v.List()
		if len(items) == 0 {
			v.Errorf(`"cassette" must name at least one file, found an empty list`)
		}
	case yamlread.TextKind:
	default:
		v.Errorf(`"cassette" must be a path, a glob or a list of them, or a map with "path" and "format", found %s`, v.Describe())
		items = []yamlread.Value{}
	}
	return items
}

// claimCassettes returns the paths that a case reads its runs from, and notes that the test reads them.
func (r *reader) claimCassettes(d *draft, items []yamlread.Value, model yamlread.Str) []string {
	if items == nil {
		return r.defaultCassette(d, model)
	}
	var paths []string
	for _, v := range items {
		if v.Kind() != yamlread.TextKind {
			v.Str() // reports the mistake
			continue
		}
		if name, ok := r.cassettePath(v, model.Value, d.row); ok {
			paths = append(paths, name)
			pos := v.Pos()
			if d.inherits {
				pos = d.Pos
			}
			isOwn := d.row != nil && d.Log == nil && !isGlob(name)
			r.cassettes = append(r.cassettes, cassette{path: name, pos: pos, test: d.claimant(), isOwn: isOwn})
		}
	}
	return paths
}

// cassettePath returns the path in v with its variables replaced; ok is false after a mistake.
func (r *reader) cassettePath(v yamlread.Value, model string, row *tableRow) (string, bool) {
	text := v.Text()
	slug := ""
	if row != nil {
		slug = row.slug
	}
	if len(text)+strings.Count(text, "${")*max(len(model), len(slug)) > maxPath {
		v.Errorf(`"cassette" is a path of more than %d bytes`, maxPath)
		return "", false
	}
	name, err := inWorkspace(dirOf(v), r.replaceUses(text, func(use string) string {
		if slug != "" && use == "${"+rowVariable+"}" {
			return slug
		}
		return r.replace(use, v.Pos(), model)
	}))
	if err == nil && isGlob(name) {
		err = checkGlob(name)
	}
	if err != nil {
		v.Errorf(`"cassette" %s`, err)
	}
	return name, err == nil
}

// defaultCassette returns cassettes/STEM/NAME.json in the folder of the suite, or NAME@MODEL.json in a matrix. For a row of a
// table, NAME is TEST/ROW.
func (r *reader) defaultCassette(d *draft, model yamlread.Str) []string {
	if d.Name == "" {
		return nil
	}
	base := Slug(d.Name)
	if d.row != nil {
		base = cmp.Or(d.row.table, "table") + "/" + d.row.slug
	}
	if base == "" {
		r.errs.Addf(d.nameAt, `name %q has no letter or digit to make a file name of, expected "cassette" to name a file`, d.Name)
		return nil
	}
	if d.Matrix {
		part := Slug(model.Value)
		if part == "" {
			r.errs.Addf(model.Pos, `model %q has no letter or digit to make a file name of, expected "cassette" to name a file`, model.Value)
			return nil
		}
		base += "@" + part
	}
	name := path.Join(r.dir, "cassettes", r.suiteStem(), base+".json")
	r.cassettes = append(r.cassettes, cassette{path: name, pos: d.nameAt, test: d.claimant(), isOwn: true})
	return []string{name}
}

// checkCassettes reports cassettes that two tests have as their own, and cassettes that one test names twice. A test may name the
// cassette of another test.
func (r *reader) checkCassettes() {
	type key struct {
		path string
		test int
	}
	ofTest := make(map[key]cassette, len(r.cassettes))
	own := map[string]cassette{}
	for _, c := range r.cassettes {
		if other, taken := ofTest[key{c.path, c.test.number}]; taken && !c.test.choosesModel {
			r.attributeTo(c.test.of, func() { r.reportGivenTwice(c, other) })
			continue
		}
		ofTest[key{c.path, c.test.number}] = c
		if !c.isOwn {
			continue
		}
		other, taken := own[c.path]
		if taken && c.test.name != other.test.name { // duplicate test names were reported already
			r.reportSharedOwn(c, other)
		}
		own[c.path] = c
	}
}

func (r *reader) reportSharedOwn(c, other cassette) {
	r.attributeTo(c.test.of, func() {
		r.errs.Addf(c.pos, "cassette %q is also that of %q at %d:%d, expected one for each case", clip(c.path), clip(other.test.name), other.pos.Line, other.pos.Col)
	})
	other.test.of.mistakes = append(other.test.of.mistakes, r.errs[len(r.errs)-1])
}

func (r *reader) reportGivenTwice(c, other cassette) {
	if c.pos == other.pos {
		r.errs.Addf(c.pos, "cassette %q is that of several models, expected ${model} in its path", clip(c.path))
		return
	}
	r.errs.Addf(c.pos, "cassette %q is given twice, first at %d:%d", clip(c.path), other.pos.Line, other.pos.Col)
}

// maxSlug is the maximum length of a slug that is not cut, in bytes. A longer slug is cut to this length, and a hash is added.
const maxSlug = 100

// Slug returns name as a part of a file name: in lower case, with one hyphen for each run of characters other than letters and
// digits, and no hyphen at the ends. A long slug is cut, and ends in the beginning of its SHA-256.
func Slug(name string) string {
	lower := strings.ToLower(norm.NFC.String(name))
	parts := strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	s := strings.Join(parts, "-")
	if len(s) <= maxSlug {
		return s
	}
	end := maxSlug
	for !utf8.RuneStart(s[end]) {
		end--
	}
	sum := sha256.Sum256([]byte(s))
	return strings.TrimRight(s[:end], "-") + "-" + hex.EncodeToString(sum[:4])
}
