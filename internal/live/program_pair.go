package live

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/imports"
	"github.com/org/mcp-gates/internal/proxy"
	"github.com/org/mcp-gates/internal/trace"
)

// serverCall is a call that reached a server.
type serverCall struct {
	*proxy.Call
	ref           catalog.Ref
	canonicalArgs jsontext.Value
	isPaired      bool
}

// mergeCalls merges the calls that the program reports with the calls that reached a server. A merged call has the program's order
// and arguments, and the server's result, error and time. A call that only a server saw is put before the first call that reached a
// server later.
func (r *programRun) mergeCalls(reported *imports.Run, witnesses []proxy.Witness) []trace.Call {
	all := r.serverCalls(witnesses)
	partner := pairCalls(reported, all)
	var calls []trace.Call
	for i, call := range reported.Calls {
		one := partner[i]
		if one == nil {
			if call.Detail == nil {
				call.Detail = &trace.Detail{}
			}
			call.Detail.Witness = trace.WitnessProgram
			calls = append(calls, call)
			continue
		}
		for _, earlier := range all {
			if !earlier.isPaired && earlier.Start.Before(one.Start) {
				earlier.isPaired = true
				calls = append(calls, earlier.traceCall())
			}
		}
		calls = append(calls, one.completeCall(call))
	}
	for _, left := range all {
		if !left.isPaired {
			calls = append(calls, left.traceCall())
		}
	}
	return calls
}

func (r *programRun) serverCalls(witnesses []proxy.Witness) []*serverCall {
	var all []*serverCall
	for i, w := range witnesses {
		for j := range w.Calls {
			call := &w.Calls[j]
			ref := catalog.Ref{Server: r.plan.tested.Servers[i].Name, Name: call.Tool}
			all = append(all, &serverCall{Call: call, ref: ref, canonicalArgs: canonical(call.Args)})
		}
	}
	slices.SortStableFunc(all, func(a, b *serverCall) int { return a.Start.Compare(b.Start) })
	return all
}

// pairCalls returns, for each call that the program reports, the same call as a server saw it; nil if no server saw it. Calls of
// the same server and tool are paired first by the model's id of the call, then by equal arguments, then by order.
func pairCalls(reported *imports.Run, all []*serverCall) []*serverCall {
	partner := make([]*serverCall, len(reported.Calls))
	for _, fits := range []func(i int, p *serverCall) bool{
		func(i int, p *serverCall) bool { return p.ModelCallID != "" && reported.IDs[i] == p.ModelCallID },
		func(i int, p *serverCall) bool {
			return string(canonical(reported.Calls[i].Arguments())) == string(p.canonicalArgs)
		},
		func(int, *serverCall) bool { return true },
	} {
		for i := range reported.Calls {
			if partner[i] != nil {
				continue
			}
			at := slices.IndexFunc(all, func(p *serverCall) bool {
				return !p.isPaired && p.isOf(reported.Calls[i].Tool.Ref) && fits(i, p)
			})
			if at >= 0 {
				partner[i], all[at].isPaired = all[at], true
			}
		}
	}
	return partner
}

// isOf reports whether the call is of the tool that the program names. A program may leave out the server of the tool.
func (p *serverCall) isOf(ref catalog.Ref) bool {
	return isSpelling(ref.Name, p.ref.Name) && (ref.Server == "" || ref.Server == p.ref.Server)
}

// isSpelling reports whether reported, the name that the program reports, means the tool called name. Gemini CLI replaces the
// middle of a long name by "...".
func isSpelling(reported, name string) bool {
	if reported == name {
		return true
	}
	start, end, isCut := strings.Cut(reported, "...")
	isShorter := len(reported) <= len(name)
	return isCut && isShorter && strings.HasPrefix(name, start) && strings.HasSuffix(name, end)
}

// canonical returns the canonical form of arguments, which is the same for equal arguments; {} for none.
func canonical(args jsontext.Value) jsontext.Value {
	if len(args) == 0 {
		return jsontext.Value("{}")
	}
	args = args.Clone()
	_ = args.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) // on an error, args keeps its form
	return args
}

// notAnswered is the error of a call that got no answer.
const notAnswered = "the server did not answer before the agent ended"

func (p *serverCall) completeCall(call trace.Call) trace.Call {
	own := p.traceCall()
	detail := trace.Detail{}
	if call.Detail != nil {
		detail = *call.Detail
	}
	detail.Result, detail.Error, detail.Duration = own.Detail.Result, own.Detail.Error, own.Detail.Duration
	detail.Witness, detail.Fault = "", p.Fault
	return trace.Call{Tool: own.Tool, Args: call.Args, Failed: own.Failed, Detail: &detail}
}

// traceCall returns a call that only the server saw.
func (p *serverCall) traceCall() trace.Call {
	d := &trace.Detail{Result: p.Result, Error: p.Error, Witness: trace.WitnessProxy, Fault: p.Fault}
	failed := p.Failed
	if p.Answered {
		d.Duration = trace.Known(p.DurationMS)
	} else {
		failed, d.Error = true, cmp.Or(p.Error, notAnswered)
	}
	state := trace.ArgsMalformed
	if args, ok := parseArguments(string(p.Args)); ok {
		if state = trace.ArgsEmpty; string(args) != "{}" {
			state, d.Args = trace.ArgsObject, args
		}
	}
	return trace.Call{Tool: &trace.Tool{Ref: p.ref}, Args: state, Failed: failed, Detail: d}
}
