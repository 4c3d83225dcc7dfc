package builtin

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lexical"
	"github.com/org/mcp-gates/internal/model"
	"github.com/org/mcp-gates/internal/redact"
	"github.com/org/mcp-gates/internal/tokens"
	"github.com/org/mcp-gates/internal/trace"
)

// lexicalAgent is an agent without a model. It splits the prompt into clauses, picks for each the offered tool with the
// most words in common (the selector of the description benchmark), and makes one call in each turn, in the order of
// the clauses, so that each call has its result before the next. Then it answers with the results. It keeps no
// conversation: each turn depends only on the request, and not on the order of its tools.
//
// Its tokens are cl100k counts of the texts that a model would have read and written in each turn. A model reads the system prompt,
// the tools, and the conversation so far.
type lexicalAgent struct {
	rules    func() *redact.Rules // returns the rules for secrets
	surfaces sync.Map             // token counts by lexicalSurface, because every turn has the same tools
}

// lexicalSurface holds the texts of a tool that a model reads.
type lexicalSurface struct {
	name, description, schema string
}

func newLexicalAgent(rules func() *redact.Rules) *lexicalAgent {
	return &lexicalAgent{rules: rules}
}

// Turn implements [model.Provider].
func (a *lexicalAgent) Turn(ctx context.Context, req model.Request) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, err
	}
	turn := assistantTurns(req.Messages)
	reply := model.Reply{Model: trace.ModelLexical, Stop: model.StopEndTurn}
	if calls := a.callsFor(req); turn < len(calls) {
		calls[turn].ID = "call_" + strconv.Itoa(turn+1)
		reply.Calls, reply.Stop = calls[turn:turn+1:turn+1], model.StopToolUse
	} else {
		answer := lexicalAnswer(req.Messages, searchName(req.Tools))
		reply.Text = a.rules().Head(answer, cutToTokens(answer, req.MaxOutputTokens))
	}
	a.setTokens(&reply, req)
	return reply, nil
}

// callsFor returns all calls for a prompt, as far as their tools are offered. If tools are deferred, the first call is a search for
// the words of the prompt.
func (a *lexicalAgent) callsFor(req model.Request) []model.Call {
	prompt := lexicalPrompt(req.Messages)
	at := searchTool(req.Tools)
	if at < 0 {
		return lexicalCalls(prompt, req.Tools)
	}
	words := strings.Join(strings.Fields(prompt), " ")
	query := a.rules().Head(words, cutToBytes(words, trace.MaxQuery))
	search := model.Call{Name: req.Tools[at].Name, Args: searchArgs(query)}
	otherTools := slices.Delete(slices.Clone(req.Tools), at, at+1)
	return append([]model.Call{search}, lexicalCalls(prompt, otherTools)...)
}

func lexicalPrompt(messages []model.Message) string {
	var texts []string
	for _, m := range messages {
		if m.Role == model.RoleUser {
			texts = append(texts, m.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func lexicalCalls(prompt string, tools []model.Tool) []model.Call {
	clauses := lexicalClauses(prompt)
	docs := make([]lexical.Doc, len(tools))
	for i, t := range tools {
		docs[i] = lexical.Doc{Name: t.Name, Description: t.Description}
	}
	var calls []model.Call
	for i, pick := range lexical.NewSelector(docs, clauses).Picks() {
		if pick != lexical.None {
			calls = append(calls, model.Call{Name: tools[pick].Name, Args: lexicalArgs(tools[pick].Schema, clauses[i])})
		}
	}
	return calls
}

// lexicalAnswer returns the final answer: the results so far, except those of the search tool.
func lexicalAnswer(messages []model.Message, search string) string {
	var texts []string
	for _, m := range messages {
		for _, r := range m.Results {
			if search == "" || r.Name != search {
				texts = append(texts, r.Text)
			}
		}
	}
	if texts == nil {
		return "No tool shares a word with the request."
	}
	return strings.Join(texts, "\n\n")
}

func cutToTokens(text string, maxTokens int) string {
	var counter tokens.Counter
	text = cutToBytes(text, maxTokens*tokens.LongestToken)
	for n := counter.Text(text); n > maxTokens; n = counter.Text(text) {
		text = cutToBytes(text, min(len(text)-1, len(text)*maxTokens/n))
	}
	return text
}

func cutToBytes(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	for maxBytes > 0 && !utf8.RuneStart(text[maxBytes]) {
		maxBytes--
	}
	return text[:maxBytes]
}

func (a *lexicalAgent) setTokens(reply *model.Reply, req model.Request) {
	var counter tokens.Counter
	text := func(s string) int64 { return int64(counter.Text(s)) }
	calls := func(list []model.Call) (n int64) {
		for _, c := range list {
			n += text(c.Name) + text(c.Args)
		}
		return n
	}
	read := text(req.System)
	for _, m := range req.Messages {
		read += text(m.Text) + calls(m.Calls)
		for _, r := range m.Results {
			read += text(r.Text)
		}
	}
	for _, t := range req.Tools {
		read += a.toolTokens(counter, t)
	}
	reply.Input = trace.Known(read)
	reply.Output = trace.Known(text(reply.Text) + calls(reply.Calls))
}

func (a *lexicalAgent) toolTokens(counter tokens.Counter, t model.Tool) int64 {
	key := lexicalSurface{t.Name, t.Description, string(t.Schema)}
	if n, ok := a.surfaces.Load(key); ok {
		return n.(int64)
	}
	n := int64(counter.Tool(&catalog.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema}))
	a.surfaces.Store(key, n)
	return n
}
