package trace

import (
	"slices"
	"strings"

	"github.com/org/mcp-gates/internal/fault"
	"github.com/org/mcp-gates/internal/source"
)

func (r *reader) readFaults() {
	r.faultsAt = r.json.Offset()
	if r.json.Null() {
		return
	}
	r.json.Array(`"faults"`, func(int) {
		if f, ok := r.readFault(); ok {
			r.own.Faults = append(r.own.Faults, f)
		}
	})
}

func (r *reader) readFault() (fault.Fault, bool) {
	var f fault.Fault
	offset := r.json.Offset()
	ok := r.json.Fields("a fault", func(key string) {
		switch key {
		case "server":
			f.Server = r.readText(`"server"`)
		case "tool":
			f.Tool = r.readText(`"tool"`)
		case "kind":
			f.Kind = r.readFaultKind(`"kind" of a fault`)
		case "times":
			f.Times = r.readCount(`"times"`).N
		case "delay_ms":
			f.DelayMS = r.readCount(`"delay_ms"`).N
		}
	})
	if ok && f.Kind == "" {
		r.json.Mistakef(offset, `a fault has no "kind"`)
	}
	return f, ok
}

// readFaultKind reads the kind of a fault. An unknown kind is a mistake, because no suite can list it and so no test expects it.
func (r *reader) readFaultKind(what string) string {
	offset := r.json.Offset()
	kind := r.readText(what)
	if _, known := fault.Find(kind); kind != "" && !known {
		r.json.Mistakef(offset, "%s must be one of %s, found %.80q%s", what, strings.Join(fault.Names(), ", "), kind, source.DidYouMean(kind, fault.Names()))
	}
	return kind
}

// KeepsFaults reports whether the header shows with which faults the runs were made. A header without faults shows that there
// were none if it has the hash of the prompt: a recorder that writes the hash also writes the faults.
func (h *Header) KeepsFaults() bool { return len(h.Faults) > 0 || h.PromptSHA256 != "" }

func (r *reader) mergeFaults(before, own *Header) {
	if before.KeepsFaults() && own.KeepsFaults() && !slices.Equal(before.Faults, own.Faults) {
		r.json.Mistakef(r.faultsAt, `"faults" differ from those of the cassettes before`)
	}
	if len(before.Faults) == 0 {
		before.Faults = own.Faults
	}
}

// Unmet returns the faults that no call of the runs met.
func Unmet(faults []fault.Fault, runs []Run) []fault.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f fault.Fault) bool {
		met := func(c Call) bool {
			return c.Detail != nil && c.Detail.Fault == f.Kind && f.Covers(c.Tool.Server, c.Tool.Name)
		}
		return slices.ContainsFunc(runs, func(run Run) bool { return slices.ContainsFunc(run.Calls, met) })
	})
}
