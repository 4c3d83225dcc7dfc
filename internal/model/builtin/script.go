package builtin

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/trace"
)

// scriptedAgent repeats the calls of recorded runs, one call in each turn: run n repeats run (n-1) mod len + 1.
type scriptedAgent struct {
	runs []trace.Run
}

func newScriptedAgent(runs []trace.Run) (*scriptedAgent, error) {
	if len(runs) == 0 {
		return nil, errors.New("the script of " + trace.ModelScript + " holds no run")
	}
	return &scriptedAgent{runs}, nil
}

// Turn implements [model.Provider].
func (s *scriptedAgent) Turn(ctx context.Context, req model.Request) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	run := s.runs[max(0, req.Run-1)%len(s.runs)]
	turn := assistantTurns(req.Messages)
	if turn >= len(run.Calls) {
		return model.Reply{Text: run.FinalResponse, Stop: model.StopEndTurn, Model: trace.ModelScript}, nil
	}
	call := run.Calls[turn]
	return model.Reply{
		Calls: []model.Call{scriptedCall(req.Tools, call, "call_"+strconv.Itoa(turn+1))},
		Stop:  model.StopToolUse, Model: trace.ModelScript,
	}, nil
}

// scriptedCall returns a recorded call in the form in which it is repeated. A search uses the offered search tool, even
// if the client's own tool had another name.
func scriptedCall(tools []model.Tool, call trace.Call, id string) model.Call {
	search, tool := call.Search(), searchTool(tools)
	if search == nil || tool < 0 {
		return model.Call{ID: id, Name: offeredName(tools, call), Args: scriptedArgs(call)}
	}
	return model.Call{ID: id, Name: tools[tool].Name, Args: searchArgs(search.Query)}
}

func assistantTurns(messages []model.Message) int {
	n := 0
	for _, m := range messages {
		if m.Role == model.RoleAssistant {
			n++
		}
	}
	return n
}

// offeredName returns the name under which a recorded call's tool is offered: the tool of the recorded server or, if
// the recording names none, of the first server by name. A tool that is not offered keeps its own name.
func offeredName(tools []model.Tool, call trace.Call) string {
	bestIndex := -1
	for i, t := range tools {
		isSameServer := call.Tool.Server == "" || t.Server == call.Tool.Server
		if t.Real != call.Tool.Name || !isSameServer {
			continue
		}
		if bestIndex < 0 || cmp.Less(t.Server, tools[bestIndex].Server) {
			bestIndex = i
		}
	}
	if bestIndex < 0 {
		return call.Tool.Name
	}
	return tools[bestIndex].Name
}

func scriptedArgs(call trace.Call) string {
	switch call.Args {
	case trace.ArgsEmpty:
		return "{}"
	case trace.ArgsMalformed:
		return "null" // the recording lacks the malformed text, and null is malformed, too
	}
	return string(call.Arguments())
}
