package judge

import (
	"reflect"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/lists"
)

// property is a key of a JSON object, and a pointer to its value.
type property struct {
	key   string
	value any
	given bool // it is written
}

func writeObject(enc *jsontext.Encoder, properties []property) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, p := range properties {
		if !p.given {
			continue
		}
		if err := enc.WriteToken(jsontext.String(p.key)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, p.value, json.Deterministic(true)); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

func readObject(object map[string]jsontext.Value, properties []property, options json.Options) error {
	for _, p := range properties {
		if raw, has := object[p.key]; has {
			if err := json.Unmarshal(raw, p.value, options); err != nil {
				return err
			}
		}
	}
	return nil
}

// properties returns the keys of a result in a report. Each kind of notes has its own list.
func (r *Result) properties(lists []noteList, lines *[]string) []property {
	properties := []property{
		{"gate", &r.Gate, true}, {"line", &r.Line, true}, {"verdict", &r.Verdict, true}, {"error", &r.Err, true},
		{"metrics", &r.Metrics, true}, {"assertions", &r.Assertions, true}, {"counts", &r.Counts, len(r.Counts) > 0},
	}
	for i := range lists {
		kind := lists[i].kind.Name
		properties = append(properties, property{kind, &lists[i], len(lists[i].notes) > 0 || slices.Contains(r.Lists, kind)})
	}
	return append(properties, property{"notes_cut", &r.NotesCut, len(r.NotesCut) > 0},
		property{"curve", &r.Curve, len(r.Curve) > 0}, property{"curve_absent", &r.CurveAbsent, len(r.CurveAbsent) > 0},
		property{"pass_hat", &r.PassHat, len(r.PassHat) > 0}, property{"max_drop", &r.MaxDrop, r.MaxDrop != nil}, property{"grade", &r.Grade, r.Grade != ""}, property{"lines", lines, true},
	)
}

// ResultKey is a key of a gate's result in a report.
type ResultKey struct {
	Name     string
	Type     reflect.Type // type of the value; nil for a list of notes
	Fields   []Field      // fields of each note in the list
	Optional bool         // some results lack the key
}

// ResultKeys returns the keys of a gate's result in the order in which a report has them.
func ResultKeys() []ResultKey {
	var empty Result
	var lines []string
	var keys []ResultKey
	for _, p := range empty.properties(empty.noteLists(), &lines) {
		key := ResultKey{Name: p.key, Optional: !p.given}
		if list, isNotes := p.value.(*noteList); isNotes {
			key.Fields = list.kind.Fields
		} else {
			key.Type = reflect.TypeOf(p.value).Elem()
		}
		keys = append(keys, key)
	}
	return keys
}

func (r *Result) noteLists() []noteList {
	lists := make([]noteList, len(Kinds))
	for i := range Kinds {
		lists[i] = noteList{&Kinds[i], r.Of(Kinds[i].Name)}
	}
	return lists
}

// MarshalJSONTo writes a result of a report.
func (r *Result) MarshalJSONTo(enc *jsontext.Encoder) error {
	lines := r.Lines()
	return writeObject(enc, r.properties(r.noteLists(), &lines))
}

// UnmarshalJSONFrom reads a result of a report. The figures have no units until [Gate.Restore] sets them.
func (r *Result) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var object map[string]jsontext.Value
	if err := json.UnmarshalDecode(dec, &object); err != nil {
		return err
	}
	*r = Result{}
	var lines []string
	lists := r.noteLists()
	if err := readObject(object, r.properties(lists, &lines), dec.Options()); err != nil {
		return err
	}
	if len(lines) > 0 {
		r.Headline = lines[0]
	}
	for _, list := range lists {
		if _, has := object[list.kind.Name]; has {
			r.Lists, r.Notes = append(r.Lists, list.kind.Name), append(r.Notes, list.notes...)
		}
	}
	return nil
}

// noteList has the notes of one kind, for a report.
type noteList struct {
	kind  *Kind
	notes []Note
}

func (l *noteList) properties(note *Note) []property {
	return lists.Map(l.kind.Fields, func(field Field) property {
		value := field.At(note)
		return property{field.Key, value, !field.Optional || !isNothing(value)}
	})
}

func isNothing(value any) bool {
	switch v := value.(type) {
	case *[]string:
		return len(*v) == 0
	case *int:
		return *v == 0
	}
	return false
}

// MarshalJSONTo writes the list.
func (l *noteList) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for i := range l.notes {
		if err := writeObject(enc, l.properties(&l.notes[i])); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndArray)
}

// UnmarshalJSONFrom reads a list; null is an empty list.
func (l *noteList) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var objects []map[string]jsontext.Value
	if err := json.UnmarshalDecode(dec, &objects); err != nil {
		return err
	}
	for _, object := range objects {
		note := Note{Kind: l.kind.Name}
		if err := readObject(object, l.properties(&note), dec.Options()); err != nil {
			return err
		}
		l.notes = append(l.notes, note)
	}
	return nil
}

// Restore sets the units of the figures in a result that was read from a report. g may be nil.
func (g *Gate) Restore(r *Result) {
	if g != nil {
		for name, v := range r.Metrics {
			if t, _, ok := FindTarget(g.Targets, name); ok {
				r.Metrics[name] = Value{v.Rat, t.Unit}
			}
		}
	}
	for i := range r.Assertions {
		a := &r.Assertions[i]
		digits := ""
		if v, ok := r.Metrics[a.Target]; ok {
			a.Actual = v
		} else if raw, ok := a.Actual.(jsontext.Value); ok && json.Unmarshal(raw, &digits) == nil {
			a.Actual = digits
		}
	}
}
