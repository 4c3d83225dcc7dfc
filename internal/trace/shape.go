package trace

import (
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
)

// cassette reads a whole file in any shape: a cassette object, a bare run, an array of runs, or JSON Lines.
func (r *reader) cassette() {
	if !r.json.More() {
		if !r.json.Failed() {
			r.json.Mistakef(0, "is empty, expected a cassette or runs")
		}
		return
	}
	start := r.json.Offset()
	if r.json.Kind() == '[' {
		r.list("a list of runs")
		r.json.End()
	} else if r.first() {
		r.json.End()
	}
	for r.json.More() {
		r.line()
	}
	if r.json.Clean() && len(r.into.Runs) == r.before && r.partial == nil {
		r.json.Mistakef(start, "has no runs, expected at least one")
	}
	r.finish()
}

func (r *reader) list(what string) {
	r.json.Array(what, func(int) { r.run("a run") })
}

// opening is the first value of a file while its shape is not yet clear: a cassette object with runs, a run, or the first line
// of JSON Lines, which has the header of the runs that follow. In the wrong shape a key counts as unknown, so mistakes in
// values are held until the shape is clear.
type opening struct {
	run            Run
	says           account
	inRun, inHead  jsonread.Held
	isRun, isHead  bool  // a key of a run, or of the header, exists
	whole, version bool  // "runs", or "cassette", exists
	ended          bool  // the value is an object, and was read to its end
	countAt        int64 // position of "distractors" if it is a number; otherwise 0
}

// first reads the first value, and reports whether it is a cassette with runs.
func (r *reader) first() (whole bool) {
	o := &r.opens
	o.says.start = r.json.Offset()
	o.run.Pos = source.Pos{File: r.file, Line: r.json.Line()}
	o.ended = r.json.Fields("a cassette or run", func(key string) { r.open(o, key) })
	r.classify(o)
	return o.whole
}

// open reads the value of one key of the first object in a file, which can be a cassette, a header or a run.
func (r *reader) open(o *opening, key string) {
	o.says.note(key, r.json)
	switch {
	case r.partialHead(key):
	case key == "cassette":
		o.version, o.isHead = true, true
		r.version()
	case key == "runs":
		if r.json.Null() {
			o.isHead = true
			return
		}
		o.whole = true
		r.list(`"runs"`)
	case key == "distractors" && r.json.Kind() == '0':
		o.countAt = r.json.Offset()
		r.openRun(o, key)
	default:
		known := false
		r.json.Hold(&o.inHead, func() { known = r.header(key) })
		o.isHead = o.isHead || known
		if !known {
			r.openRun(o, key)
		}
	}
}

func (r *reader) openRun(o *opening, key string) {
	r.json.Hold(&o.inRun, func() { o.isRun = r.part(key, &o.run) || o.isRun })
}

// classify decides the shape of the first value. A single run without a "cassette" key has no header: keys such as "model"
// belong to the program that wrote the run.
func (r *reader) classify(o *opening) {
	if o.whole && o.says.calls != callsAbsent {
		r.json.Mistakef(o.says.callsAt, `"tool_calls" stands beside "runs", expected one of the two`)
	}
	if o.whole && o.countAt > 0 {
		r.json.Mistakef(o.countAt, `"distractors" must be a list, found a number`)
	}
	if o.isRun && !o.whole && !o.version {
		r.dropDescription(o)
	}
	r.json.Note(o.inHead)
	if !o.whole || r.json.Failed() {
		r.json.Note(o.inRun)
	}
	switch {
	case o.whole || !o.ended:
	case o.isRun:
		r.finished(&o.run, &o.says)
	case !o.version && (!o.isHead || o.says.keys.match() != nil || !r.json.More()):
		keys := o.says.keys
		r.json.Mistakef(o.says.start, `must have "runs", or the "tool_calls" or "error" of a run, found %s`, &keys)
	}
}

func (r *reader) dropDescription(o *opening) {
	if r.own.Distractors != nil {
		r.json.Mistakef(r.listAt, `"distractors" of a run must be a whole number of 0 or more, found a list`)
	}
	r.own = Header{}
	if !r.json.Failed() {
		o.inHead = jsonread.Held{}
	}
}

func (r *reader) line() {
	run := Run{Pos: source.Pos{File: r.file, Line: r.json.Line()}}
	says := account{start: r.json.Offset()}
	isRun, isHead := false, false
	ok := r.json.Fields("a run", func(key string) {
		says.note(key, r.json)
		switch {
		case r.refusePartial(key) || r.partialKey(key):
		case key == "cassette" || key == "runs":
			isHead, isRun = true, isRun && key != "runs"
			r.json.Skip()
		default:
			isRun = r.part(key, &run) || isRun
		}
	})
	runs := len(r.into.Runs)
	switch {
	case isHead && !isRun:
		r.json.Mistakef(says.start, "a cassette object can stand only at the beginning of a file, expected a run")
	case ok:
		r.finished(&run, &says)
		r.endLine(says.start, runs)
	}
}

func (r *reader) version() {
	if r.json.Null() {
		return
	}
	offset := r.json.Offset()
	if found := r.json.Raw(); found != nil && string(found) != "1" {
		r.json.Mistakef(offset, `"cassette" must be 1, the version of the format, found %.60s`, found)
	}
}
