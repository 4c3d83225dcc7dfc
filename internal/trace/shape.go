package trace

import (
	"github.com/org/mcp-gates/internal/jsonread"
	"github.com/org/mcp-gates/internal/source"
)

// readCassette reads a whole file in any shape: a cassette object, a bare run, an array of runs, or JSON Lines.
func (r *reader) readCassette() {
	if !r.json.More() {
		if !r.json.Failed() {
			r.json.Mistakef(0, "is empty, expected a cassette or runs")
		}
		return
	}
	start := r.json.Offset()
	if r.json.Kind() == '[' {
		r.readRuns("a list of runs")
		r.json.End()
	} else if r.readFirst() {
		r.json.End()
	}
	for r.json.More() {
		r.readLine()
	}
	if r.json.Clean() && len(r.into.Runs) == r.runsBefore && r.partial == nil {
		r.json.Mistakef(start, "has no runs, expected at least one")
	}
	r.mergeHeader()
}

func (r *reader) readRuns(what string) {
	r.json.Array(what, func(int) { r.readRun("a run") })
}

// opening is the first value of a file while its shape is not yet clear: a cassette object with runs, a run, or the first line
// of JSON Lines, which has the header of the runs that follow. A key that belongs to another shape counts as unknown, so
// mistakes in its value are held back until the shape is clear.
type opening struct {
	run                     Run
	found                   objectKeys
	inRun, inHead           jsonread.Held
	hasRunKey, hasHeaderKey bool  // a key of a run, or of the header, exists
	hasRuns, hasVersion     bool  // the key "runs", or "cassette", exists
	ended                   bool  // the value is an object, and was read to its end
	countAt                 int64 // position of "distractors" if it is a number; otherwise 0
}

// readFirst reads the first value, and reports whether it is a cassette with runs.
func (r *reader) readFirst() (whole bool) {
	o := &r.opening
	o.found.startAt = r.json.Offset()
	o.run.Pos = source.Pos{File: r.file, Line: r.json.Line()}
	o.ended = r.json.Fields("a cassette or run", func(key string) { r.readFirstKey(o, key) })
	r.classify(o)
	return o.hasRuns
}

// readFirstKey reads the value of one key of the first object in a file, which can be a cassette, a header or a run.
func (r *reader) readFirstKey(o *opening, key string) {
	o.found.addKey(key, r.json)
	switch {
	case r.readPartialHead(key):
	case key == "cassette":
		o.hasVersion, o.hasHeaderKey = true, true
		r.readVersion()
	case key == "runs":
		if r.json.Null() {
			o.hasHeaderKey = true
			return
		}
		o.hasRuns = true
		r.readRuns(`"runs"`)
	case key == "distractors" && r.json.Kind() == '0':
		o.countAt = r.json.Offset()
		r.readFirstRunKey(o, key)
	default:
		known := false
		r.json.Hold(&o.inHead, func() { known = r.readHeaderKey(key) })
		o.hasHeaderKey = o.hasHeaderKey || known
		if !known {
			r.readFirstRunKey(o, key)
		}
	}
}

func (r *reader) readFirstRunKey(o *opening, key string) {
	r.json.Hold(&o.inRun, func() { o.hasRunKey = r.readRunKey(key, &o.run) || o.hasRunKey })
}

// classify decides the shape of the first value. A single run without a "cassette" key has no header: keys such as "model"
// belong to the program that wrote the run.
func (r *reader) classify(o *opening) {
	if o.hasRuns && o.found.calls != callsAbsent {
		r.json.Mistakef(o.found.callsAt, `"tool_calls" stands beside "runs", expected one of the two`)
	}
	if o.hasRuns && o.countAt > 0 {
		r.json.Mistakef(o.countAt, `"distractors" must be a list, found a number`)
	}
	if o.hasRunKey && !o.hasRuns && !o.hasVersion {
		r.dropDescription(o)
	}
	r.json.Note(o.inHead)
	if !o.hasRuns || r.json.Failed() {
		r.json.Note(o.inRun)
	}
	switch {
	case o.hasRuns || !o.ended:
	case o.hasRunKey:
		r.addFinished(&o.run, &o.found)
	case !o.hasVersion && !r.isHeadOfLines(o):
		keys := o.found.keys
		r.json.Mistakef(o.found.startAt, `must have "runs", or the "tool_calls" or "error" of a run, found %s`, &keys)
	}
}

func (r *reader) isHeadOfLines(o *opening) bool {
	isForeign := o.found.keys.match() != nil
	return o.hasHeaderKey && !isForeign && r.json.More()
}

func (r *reader) dropDescription(o *opening) {
	if r.own.Distractors != nil {
		r.json.Mistakef(r.distractorsAt, `"distractors" of a run must be a whole number of 0 or more, found a list`)
	}
	r.own = Header{}
	if !r.json.Failed() {
		o.inHead = jsonread.Held{}
	}
}

func (r *reader) readLine() {
	run := Run{Pos: source.Pos{File: r.file, Line: r.json.Line()}}
	keys := objectKeys{startAt: r.json.Offset()}
	hasRunKey, isCassette := false, false
	ok := r.json.Fields("a run", func(key string) {
		keys.addKey(key, r.json)
		switch {
		case r.refusePartial(key) || r.readPartialKey(key):
		case key == "cassette" || key == "runs":
			isCassette = true
			if key == "runs" {
				hasRunKey = false
			}
			r.json.Skip()
		default:
			hasRunKey = r.readRunKey(key, &run) || hasRunKey
		}
	})
	runs := len(r.into.Runs)
	switch {
	case isCassette && !hasRunKey:
		r.json.Mistakef(keys.startAt, "a cassette object can stand only at the beginning of a file, expected a run")
	case ok:
		r.addFinished(&run, &keys)
		r.addPartialRun(keys.startAt, runs)
	}
}

func (r *reader) readVersion() {
	if r.json.Null() {
		return
	}
	offset := r.json.Offset()
	if found := r.json.Raw(); found != nil && string(found) != "1" {
		r.json.Mistakef(offset, `"cassette" must be 1, the version of the format, found %.60s`, found)
	}
}
