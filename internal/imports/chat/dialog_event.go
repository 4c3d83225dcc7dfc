package chat

import "github.com/org/mcp-gates/internal/imports/logs"

// eventKind is the kind of an event of a conversation.
type eventKind uint8

const (
	eventMessage eventKind = iota
	eventCall
	eventResult
	eventUsage
)

// turnEvent is a part of a turn: a message, a call, a result, or a usage.
type turnEvent struct {
	Kind    eventKind
	Message logs.Message
	Call    logs.Call // for a result: the name of its tool, if the log has it
	Result  logs.Result
	Usage   logs.Usage
}

// turnEventSize is the memory that an event takes in addition to its texts, in bytes, estimated.
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
