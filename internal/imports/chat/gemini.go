package chat

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// Gemini reads requests of programs to the Gemini API, and the replies, in the API's own spelling and in that of the Python
// SDK: https://ai.google.dev/api/generate-content, https://ai.google.dev/api/caching#Content,
// https://googleapis.github.io/python-genai/genai.html#module-genai.types.
var Gemini = &logs.Format{
	Name:  "gemini",
	Wraps: wraps,
	Open:  func(to *logs.Sink) logs.Reader { return openAPI(geminiAPI{})(to) },
}

type geminiAPI struct{}

// geminiBody has the keys of every object of the API: a content, a request, a response. The Python SDK writes them in snake
// case, which case:ignore matches.
type geminiBody struct {
	geminiContent
	Model      logs.AnyText          `json:"model"`
	Contents   geminiContents        `json:"contents"`
	System     geminiContents        `json:"systemInstruction,case:ignore"`
	Tools      jsontext.Value        `json:"tools"`
	Config     object[geminiConfig]  `json:"config"`
	Candidates list[geminiCandidate] `json:"candidates"`
	Usage      object[geminiUsage]   `json:"usageMetadata,case:ignore"`
	Version    logs.AnyText          `json:"modelVersion,case:ignore"`
	ResponseID logs.AnyText          `json:"responseId,case:ignore"`
	Feedback   object[geminiBlocked] `json:"promptFeedback,case:ignore"`
	Created    logs.AnyText          `json:"createTime,case:ignore"`
	Error      jsontext.Value        `json:"error"`
	Final      jsontext.Value        `json:"final_response"` // not part of the API: programs put it beside the contents

	History geminiContents `json:"automatic_function_calling_history"` // written by the Python SDK

	Rest jsontext.Value `json:",embed"`
}

// geminiConfig has the other values of a request in the form of the SDKs.
type geminiConfig struct {
	System geminiContents `json:"systemInstruction,case:ignore"`
	Tools  jsontext.Value `json:"tools"`
}

type geminiCandidate struct {
	Content object[geminiContent] `json:"content"`
	Finish  logs.AnyText          `json:"finishReason,case:ignore"`
}

type geminiBlocked struct {
	Reason logs.AnyText `json:"blockReason,case:ignore"`
}

type geminiUsage struct {
	Prompt     logs.Number `json:"promptTokenCount,case:ignore"`
	Candidates logs.Number `json:"candidatesTokenCount,case:ignore"`
	Thoughts   logs.Number `json:"thoughtsTokenCount,case:ignore"`
	ToolPrompt logs.Number `json:"toolUsePromptTokenCount,case:ignore"`
	Cached     logs.Number `json:"cachedContentTokenCount,case:ignore"`
	Total      logs.Number `json:"totalTokenCount,case:ignore"`
}

// usage returns the tokens. The prompt includes tokens of the cache, and the candidates do not include thoughts.
func (u *geminiUsage) usage() logs.Usage {
	output := u.Candidates.Count
	if !output.Known {
		output = u.Thoughts.Count // a reply with thoughts only
	} else {
		output = logs.Sum(output, u.Thoughts.Count)
	}
	input := logs.Sum(u.Prompt.Count, u.ToolPrompt.Count)
	return logs.Usage{Input: input, Output: output, Total: u.Total.Count, CacheRead: u.Cached.Count}
}

func (a geminiAPI) readObject(p *parser, raw jsontext.Value, at side) (jsontext.Value, objectKind, bool) {
	var b geminiBody
	if !p.value.DecodePart(raw, &b) {
		return nil, objectNone, false
	}
	if len(b.Parts) > 0 || b.Role != "" {
		t, ok := p.turnOfParts(&b.geminiContent)
		if ok {
			p.addTurns(at, t)
		}
		return nil, objectPart, ok
	}
	has := a.readRequest(p, &b, at)
	if a.readReply(p, &b) {
		has = objectWhole
	}
	return b.Rest, has, true
}

// readRequest reads the request in an object, and returns the kind of the object.
func (a geminiAPI) readRequest(p *parser, b *geminiBody, at side) objectKind {
	x := p.exchange
	for _, system := range []geminiContents{b.System, b.Config.value.System} {
		if text := system.text(); text != "" {
			x.addSystem(text, p.to)
		}
	}
	has := objectNone
	contents := b.Contents
	if len(contents) == 0 || len(b.History) > len(contents) {
		contents = append(contents[:0:0], b.History...) // the history begins with the contents
	}
	if len(contents) > 0 {
		if len(b.History) > 0 {
			at = sentSide
			x.turns = nil // the SDK has called the tools itself, and its history includes the request
		}
		p.addTurns(at, turnsOf(contents, p.turnOfParts)...)
		has = objectWhole
	}
	x.model = cmp.Or(x.model, strings.TrimPrefix(string(b.Model), "models/"))
	x.addTools(b.Tools, b.Config.value.Tools)
	x.time = cmp.Or(x.time, logs.TimeOf(string(b.Created)))
	x.setFinal(b.Final)
	return has
}

// readReply reads the reply in an object, and reports whether there is one.
func (a geminiAPI) readReply(p *parser, b *geminiBody) bool {
	err := errorText(b.Error)
	blocked := string(b.Feedback.value.Reason)
	if len(b.Candidates) == 0 && err == "" && blocked == "" {
		return false
	}
	r := p.exchange.ensureReply()
	r.err = err
	r.id, r.model = string(b.ResponseID), string(b.Version)
	if b.Usage.given {
		r.usage, r.hasUsage = b.Usage.value.usage(), true
	}
	if blocked != "" && len(b.Candidates) == 0 {
		r.err = "the provider blocked the prompt: " + blocked
	}
	if len(b.Candidates) > 0 {
		p.readCandidate(&b.Candidates[0], r)
		for range b.Candidates[1:] {
			p.to.LeaveOut("further choices of a reply")
		}
	}
	return true
}

func (p *parser) readCandidate(c *geminiCandidate, r *reply) {
	content := c.Content.value
	content.Role = "model"
	if t, ok := p.turnOfParts(&content); ok {
		r.turns = append(r.turns, t)
	}
	finish := strings.TrimPrefix(string(c.Finish), "FinishReason.")
	switch finish {
	case "":
		return
	case "STOP":
		r.stop, r.ended = "end_turn", true
		for _, t := range r.turns {
			if t.isUnanswered() {
				r.stop, r.ended = "tool_use", false
			}
		}
	case "MAX_TOKENS":
		r.stop, r.ended = "max_tokens", true
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII":
		r.stop, r.ended = "refusal", true
	default:
		r.stop, r.err = finish, "the provider ended the reply: "+finish
	}
}

func (geminiAPI) readTurns(p *parser, raw jsontext.Value) ([]turn, bool) {
	var all geminiContents
	if !p.value.DecodePart(raw, &all) {
		return nil, false
	}
	return turnsOf(all, p.turnOfParts), true
}

// geminiFunction is a declared function.
type geminiFunction struct {
	Name        logs.AnyText   `json:"name"`
	Description logs.AnyText   `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
	JSONSchema  jsontext.Value `json:"parametersJsonSchema,case:ignore"`
}

// readTools returns the tools that a request declares.
func (geminiAPI) readTools(tools jsontext.Value) (out offering) {
	var all list[struct {
		Functions list[geminiFunction] `json:"functionDeclarations,case:ignore"`
	}]
	_ = json.Unmarshal(tools, &all, logs.Lenient) // any other value has no tools
	for _, one := range all {
		for _, f := range one.Functions {
			schema := geminiSchema(f.Parameters)
			if f.JSONSchema.Kind() == '{' {
				schema = f.JSONSchema
			}
			if f.Name != "" {
				out.tools = append(out.tools, logs.Offered{Tool: logs.Tool(string(f.Name), string(f.Description), schema)})
			}
		}
	}
	return out
}
