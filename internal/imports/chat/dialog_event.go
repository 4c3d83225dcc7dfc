package chat

import "github.com/org/mcp-gates/internal/imports/logs"

// eventKind is what an event of a conversation is.
type eventKind uint8

const (
	eventMessage eventKind = iota
	eventCall
	eventResult
	eventUsage
)

// turnEvent is one thing that a turn holds: a message, a call, a result, or what a reply took.
type turnEvent struct {
	Kind    eventKind
	Message logs.Message
	Call    logs.Call // of a result the name of its tool, where the log has it
	Result  logs.Result
	Usage   logs.Usage
}

// turnEventSize is what an event takes in memory beside its texts, in bytes, about.
const turnEventSize = 500

func (e *turnEvent) addTo(s *logs.Session) {
	switch e.Kind {
	case eventMessage:
		s.Say(e.Message)
	case eventCall:
		s.Ask(e.Call)
	case eventResult:
		s.Answer(e.Result)
	case eventUsage:
		s.Spend(e.Usage)
	}
}
