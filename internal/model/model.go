package model

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/trace"
)

// Provider answers with the next turn of a model or of a built-in agent. A provider is made for one case; its methods
// may be called by several runs at once.
type Provider interface {
	// Turn sends a conversation and returns the reply to it. An error ends the run as an infrastructure error: what can
	// be tried again has been tried again by then.
	Turn(ctx context.Context, req Request) (Reply, error)
}

// TriedError is the error of a turn that ended while it was tried again, such as by the end of its time.
type TriedError struct {
	Err   error
	Tries string // what the earlier tries met, in one line that is fit to be shown
}

func (e *TriedError) Error() string { return e.Err.Error() + " (" + e.Tries + ")" }

func (e *TriedError) Unwrap() error { return e.Err }

// Request is what the model reads.
type Request struct {
	Model           string
	System          string // "" for none
	Messages        []Message
	Tools           []Tool   // in the order in which they are offered
	MaxOutputTokens int      // at least 1
	Temperature     *float64 // nil for the provider's default
	Run             int      // number of the run, from 1; what a scripted provider goes by
}

// Tool is a tool as it is offered to a model.
type Tool struct {
	Name        string // of [A-Za-z0-9_-]{1,64}, unique in the list
	Description string
	Schema      jsontext.Value // the JSON Schema of the arguments, always an object

	// Server and Real name the tool itself. No model sees them. A scripted provider finds the tool by them.
	Server, Real string

	// Searches says that the tool finds those of the servers, which are offered once it has found them.
	Searches bool
}

// Role says who wrote a message.
type Role string

// The roles. A message of RoleTool holds the results of the calls of the assistant's message before it.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role    Role
	Text    string
	Calls   []Call   // of an assistant's message
	Results []Result // of a message of RoleTool, one for each call, in their order

	// Raw is the reply's [Reply.Raw], handed back to the provider that made it.
	Raw any
}

// Call is a tool call that a model asks for.
type Call struct {
	ID   string // of the provider; "" where it gives none
	Name string // as offered, or whatever the model made up
	Args string // as the model wrote them: meant to be JSON
}

// Result is what came of a call.
type Result struct {
	CallID  string
	Name    string
	Text    string
	IsError bool
}

// StopReason says why a reply ended.
type StopReason string

// The reasons, as they are recorded. Another one that a provider gives is recorded as it is and ends the run.
const (
	StopEndTurn   StopReason = "end_turn"
	StopToolUse   StopReason = "tool_use"
	StopMaxTokens StopReason = "max_tokens" // the reply is cut off: its last call may be incomplete
	StopRefusal   StopReason = "refusal"
	StopMaxTurns  StopReason = "max_turns" // given by the loop, by no provider
)

// Reply is one turn of a model.
type Reply struct {
	Text          string
	Calls         []Call // in the order in which the model gave them
	Stop          StopReason
	Model         string      // as the provider names what answered; "" when it does not say
	Input, Output trace.Count // tokens, as the provider reports them

	// Raw is what the provider needs back word for word in the next request, such as signed thoughts. Nil for nothing.
	Raw any
}
