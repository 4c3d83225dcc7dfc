package judge

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// property is a key of a JSON object and its value.
type property struct {
	key   string
	value any
}

// writeObject writes an object with its keys in order.
func writeObject(enc *jsontext.Encoder, properties []property) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range properties {
		if err := enc.WriteToken(jsontext.String(m.key)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, m.value, json.Deterministic(true)); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// MarshalJSONTo writes the keys of the report's contract: the notes of each kind are a list of their own.
func (r *Result) MarshalJSONTo(enc *jsontext.Encoder) error {
	properties := []property{
		{"gate", r.Gate}, {"line", r.Line}, {"verdict", r.Verdict}, {"error", r.Err},
		{"metrics", r.Metrics}, {"assertions", r.Assertions},
	}
	add := func(present bool, key string, value any) {
		if present {
			properties = append(properties, property{key, value})
		}
	}
	add(len(r.Counts) > 0, "counts", r.Counts)
	for i := range Kinds {
		notes := r.Of(Kinds[i].Name)
		add(len(notes) > 0 || slices.Contains(r.Lists, Kinds[i].Name), Kinds[i].Name, noteList{&Kinds[i], notes})
	}
	add(len(r.Curve) > 0, "curve", r.Curve)
	add(len(r.CurveAbsent) > 0, "curve_absent", r.CurveAbsent)
	add(len(r.PassHat) > 0, "pass_hat", r.PassHat)
	add(r.Grade != "", "grade", r.Grade)
	add(true, "lines", r.Lines())
	return writeObject(enc, properties)
}

// noteList is the notes of one kind, as a report has them.
type noteList struct {
	kind  *Kind
	notes []Note
}

// MarshalJSONTo writes the list.
func (l noteList) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for i := range l.notes {
		var properties []property
		for _, field := range l.kind.Fields {
			value := field.At(&l.notes[i])
			if list, ok := value.(*[]string); !ok || !field.Optional || len(*list) > 0 {
				properties = append(properties, property{field.Key, value})
			}
		}
		if err := writeObject(enc, properties); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndArray)
}

// read reads a list and adds its notes; null is none.
func (l *noteList) read(list jsontext.Value, options json.Options) error {
	var entries []map[string]jsontext.Value
	if err := json.Unmarshal(list, &entries, options); err != nil {
		return err
	}
	for _, entry := range entries {
		note := Note{Kind: l.kind.Name}
		for _, field := range l.kind.Fields {
			if raw, ok := entry[field.Key]; ok {
				if err := json.Unmarshal(raw, field.At(&note), options); err != nil {
					return err
				}
			}
		}
		l.notes = append(l.notes, note)
	}
	return nil
}

// written is a result as a report has it.
type written struct {
	Gate        string                    `json:"gate"`
	Line        int                       `json:"line"`
	Verdict     Verdict                   `json:"verdict"`
	Err         *Problem                  `json:"error"`
	Metrics     map[string]Value          `json:"metrics"`
	Assertions  []Assertion               `json:"assertions"`
	Counts      map[string]int            `json:"counts"`
	Curve       []CurvePoint              `json:"curve"`
	CurveAbsent []int                     `json:"curve_absent"`
	PassHat     []int                     `json:"pass_hat"`
	Grade       string                    `json:"grade"`
	Lines       []string                  `json:"lines"`
	Others      map[string]jsontext.Value `json:",embed"` // the lists of notes
}

// UnmarshalJSONFrom reads a result of a report. Figures have no units before [Gate.Restore] gives them back.
func (r *Result) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var w written
	if err := json.UnmarshalDecode(dec, &w); err != nil {
		return err
	}
	*r = Result{
		Gate: w.Gate, Line: w.Line, Verdict: w.Verdict, Err: w.Err, Metrics: w.Metrics, Assertions: w.Assertions,
		Grounds: Grounds{Counts: w.Counts, Curve: w.Curve, CurveAbsent: w.CurveAbsent, PassHat: w.PassHat, Grade: w.Grade},
	}
	if len(w.Lines) > 0 {
		r.Headline = w.Lines[0]
	}
	for i := range Kinds {
		list, has := w.Others[Kinds[i].Name]
		if !has {
			continue
		}
		notes := noteList{kind: &Kinds[i]}
		if err := notes.read(list, dec.Options()); err != nil {
			return err
		}
		r.Lists, r.Notes = append(r.Lists, Kinds[i].Name), append(r.Notes, notes.notes...)
	}
	return nil
}

// Restore gives the figures of a result that was read back their units, and assertions the figures that they are made on.
// The gate may be nil: it is not known then.
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
