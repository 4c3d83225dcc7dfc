package live

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"github.com/org/mcp-gates/internal/trace"
)

// scriptedAgent makes the calls of recorded runs: run n those of run (n-1) mod len + 1, one a turn.
type scriptedAgent struct {
	runs []trace.Run
}

func newScriptedAgent(runs []trace.Run) (*scriptedAgent, error) {
	if len(runs) == 0 {
		return nil, errors.New("the script of " + ModelScript + " holds no run")
	}
	return &scriptedAgent{runs}, nil
}

// Turn implements [Provider].
func (s *scriptedAgent) Turn(ctx context.Context, req Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	run := s.runs[max(0, req.Run-1)%len(s.runs)]
	turn := assistantTurns(req.Messages)
	if turn >= len(run.Calls) {
		return Reply{Text: run.FinalResponse, Stop: StopEndTurn, Model: ModelScript}, nil
	}
	call := run.Calls[turn]
	return Reply{
		Calls: []Call{{ID: "call_" + strconv.Itoa(turn+1), Name: offeredName(req.Tools, call), Args: scriptedArgs(call)}},
		Stop:  StopToolUse, Model: ModelScript,
	}, nil
}

func assistantTurns(messages []Message) int {
	n := 0
	for _, m := range messages {
		if m.Role == RoleAssistant {
			n++
		}
	}
	return n
}

// offeredName returns the name under which a recorded call's tool is offered: that of its server, or of any where the
// recording names none, of several the first by server. A tool that is not offered is called by its own name.
func offeredName(tools []Tool, call trace.Call) string {
	best := -1
	for i, t := range tools {
		if t.Real != call.Tool.Name || call.Tool.Server != "" && t.Server != call.Tool.Server {
			continue
		}
		if best < 0 || cmp.Less(t.Server, tools[best].Server) {
			best = i
		}
	}
	if best < 0 {
		return call.Tool.Name
	}
	return tools[best].Name
}

func scriptedArgs(call trace.Call) string {
	switch call.Args {
	case trace.ArgsEmpty:
		return "{}"
	case trace.ArgsMalformed:
		return "null" // the text itself is not kept; this is malformed too
	}
	return string(call.Arguments())
}
