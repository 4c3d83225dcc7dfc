package model

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/trace"
)

// Provider returns the next turn of a model or of a built-in agent. A provider is made for one case; several runs may
// call its methods concurrently.
type Provider interface {
	// Turn sends a conversation and returns the reply. An error comes after all useful retries, and ends the run as an
	// infrastructure error.
	Turn(ctx context.Context, req Request) (Reply, error)
}

// TriedError is the error of a turn that ended during retries, for example because its time was over.
type TriedError struct {
	Err   error
	Tries string // the errors of the earlier tries, in one line that may be shown
}

func (e *TriedError) Error() string { return e.Err.Error() + " (" + e.Tries + ")" }

func (e *TriedError) Unwrap() error { return e.Err }

// Request is the input of a model.
type Request struct {
	Model           string
	System          string // "" for none
	Messages        []Message
	Tools           []Tool   // tools in the order in which they are offered
	MaxOutputTokens int      // at least 1
	Temperature     *float64 // nil for the provider's default
	Run             int      // number of the run, from 1; a scripted provider chooses its calls by it
}

// Tool is a tool offered to a model.
type Tool struct {
	Name        string // name that matches [A-Za-z0-9_-]{1,64}, unique in the list
	Description string
	Schema      jsontext.Value // the JSON Schema of the arguments, always an object

	// Server and Real name the tool itself. Models do not see them. A scripted provider finds the tool by them.
	Server, Real string

	// Searches means that the tool searches the servers' tools. Found tools are offered afterwards.
	Searches bool
}

// Role is the author of a message.
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
	Calls   []Call   // calls of an assistant's message
	Results []Result // results in a message of RoleTool: one for each call, in the order of the calls

	// Raw is the reply's [Reply.Raw], which goes back to the same provider.
	Raw any
}

// Call is a tool call that a model asks for.
type Call struct {
	ID   string // id that the provider gave it; "" if it gave none
	Name string // name of an offered tool, or a name that the model made up
	Args string // text that the model wrote; it should be JSON, but need not be
}

// Result is the result of a call.
type Result struct {
	CallID  string
	Name    string
	Text    string
	IsError bool
}

// StopReason is the reason why a reply ended.
type StopReason string

// The reasons as they are recorded. Any other reason of a provider is recorded unchanged and ends the run.
const (
	StopEndTurn   StopReason = "end_turn"
	StopToolUse   StopReason = "tool_use"
	StopMaxTokens StopReason = "max_tokens" // the reply is cut off: its last call may be incomplete
	StopRefusal   StopReason = "refusal"
	StopMaxTurns  StopReason = "max_turns" // set by the loop, not by a provider
)

// Reply is one turn of a model.
type Reply struct {
	Text          string
	Calls         []Call // calls in the order of the model's reply
	Stop          StopReason
	Model         string      // the provider's name of the model that answered; "" if it gives none
	Input, Output trace.Count // tokens, as the provider reports them

	// Raw holds data that the provider needs back word for word in the next request, such as signed thoughts; nil for
	// none.
	Raw any
}
