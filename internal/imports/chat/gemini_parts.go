package chat

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
	"github.com/org/mcp-gates/internal/trace"
)

// geminiContent is a message of a conversation.
type geminiContent struct {
	Role  logs.AnyText `json:"role"`
	Parts geminiParts  `json:"parts"`
}

// geminiParts are the parts of a message. A single part may be written without a list.
type geminiParts []geminiPart

// UnmarshalJSONFrom reads the parts.
func (g *geminiParts) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return (*list[geminiPart])(g).UnmarshalJSONFrom(dec)
	}
	*g = make(geminiParts, 1)
	return json.UnmarshalDecode(dec, &(*g)[0])
}

// geminiContents are messages: a list, one message, or a text, which is a message of the user. The SDKs accept all of these.
type geminiContents []geminiContent

// UnmarshalJSONFrom reads the messages.
func (c *geminiContents) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	switch dec.PeekKind() {
	case '"':
		raw, err := dec.ReadValue()
		if err == nil {
			*c = geminiContents{{Parts: geminiParts{{Text: logs.AnyText(logs.Unquote(raw))}}}}
		}
		return err
	case '{':
		var one geminiContent
		err := json.UnmarshalDecode(dec, &one)
		*c = geminiContents{one}
		return err
	}
	return (*list[geminiContent])(c).UnmarshalJSONFrom(dec)
}

func (c geminiContents) text() string {
	var texts []string
	for i := range c {
		for j := range c[i].Parts {
			texts = append(texts, string(c[i].Parts[j].Text))
		}
	}
	return strings.Join(texts, "\n")
}

// geminiPart is a part of a message. The Python SDK writes null for each absent key.
type geminiPart struct {
	Text     logs.AnyText         `json:"text"`
	Thought  logs.AnyText         `json:"thought"`
	Call     object[geminiCall]   `json:"functionCall,case:ignore"`
	Response object[geminiResult] `json:"functionResponse,case:ignore"`
	Inline   object[geminiData]   `json:"inlineData,case:ignore"`
	File     object[geminiData]   `json:"fileData,case:ignore"`
	Code     jsontext.Value       `json:"executableCode,case:ignore"`
	Ran      object[geminiRan]    `json:"codeExecutionResult,case:ignore"`
}

type geminiCall struct {
	ID   logs.AnyText   `json:"id"`
	Name logs.AnyText   `json:"name"`
	Args jsontext.Value `json:"args"`
}

type geminiResult struct {
	ID       logs.AnyText `json:"id"`
	Name     logs.AnyText `json:"name"`
	Response geminiAnswer `json:"response"`
}

// geminiAnswer is the result of a function.
type geminiAnswer struct{ result logs.Result }

// UnmarshalJSON reads the result of a function.
func (g *geminiAnswer) UnmarshalJSON(raw []byte) error {
	g.result = geminiResultOf(raw, 0)
	return nil
}

type geminiData struct {
	MIME logs.AnyText `json:"mimeType,case:ignore"`
}

type geminiRan struct {
	Outcome logs.AnyText `json:"outcome"`
	Output  logs.AnyText `json:"output"`
}

// turnOfParts returns a message as a turn; ok is false if a run does not keep the message.
func (p *parser) turnOfParts(c *geminiContent) (turn, bool) {
	t := turn{}
	switch c.Role {
	case "model", "MODEL":
		t.role = logs.RoleAssistant
		p.addModelParts(&t, c.Parts)
	case logs.RoleUser, "USER", "function", "":
		t.role = logs.RoleUser
		t.addUserParts(c.Parts)
	case logs.RoleSystem:
		t.role = logs.RoleSystem
		t.addMessage(logs.RoleSystem, geminiContents{*c}.text())
	default:
		p.value.Skip("has a message of the role " + quoted(string(c.Role)))
		return t, false
	}
	return t, true
}

// addModelParts adds a message of the model. Code that the provider runs for the model counts as a call of the provider's tool.
func (p *parser) addModelParts(t *turn, parts []geminiPart) {
	var text strings.Builder
	say := func() {
		if text.Len() > 0 || len(t.events) == 0 {
			t.addMessage(logs.RoleAssistant, text.String())
			text.Reset()
		}
	}
	for i := range parts {
		g := &parts[i]
		if g.isText() {
			text.WriteString(g.text()) // the pieces of one text are separate parts
			continue
		}
		say()
		switch {
		case g.Call.given:
			t.addCall(logs.Call{ID: string(g.Call.value.ID), Name: string(g.Call.value.Name), Args: logs.Args{Object: g.Call.value.Args}})
		case g.Code.Kind() == '{':
			t.addCall(logs.Call{Name: codeExecution, Server: trace.BuiltinServer, Args: logs.Args{Object: g.Code}})
		case g.Ran.given:
			ran := &g.Ran.value
			t.addResult(codeExecution, logs.Result{Text: string(ran.Output), Failed: strings.TrimPrefix(string(ran.Outcome), "Outcome.") != "OUTCOME_OK"})
		}
	}
	say()
}

func (g *geminiPart) isText() bool {
	return !g.Call.given && g.Code.Kind() != '{' && !g.Ran.given && g.Thought != "true"
}

// codeExecution is the provider's tool that runs code.
const codeExecution = "code_execution"

func (g *geminiPart) text() string {
	for _, data := range []*object[geminiData]{&g.File, &g.Inline} {
		if data.given {
			return "[" + logs.OneWord("data "+string(data.value.MIME)) + "]"
		}
	}
	return string(g.Text)
}

func (t *turn) addUserParts(parts []geminiPart) {
	var texts []string
	for i := range parts {
		g := &parts[i]
		if !g.Response.given {
			texts = append(texts, g.text())
			continue
		}
		one := &g.Response.value
		r := one.Response.result
		r.CallID = string(one.ID)
		t.addResult(string(one.Name), r)
	}
	t.sayAfterResults(strings.Join(texts, "\n"))
}

// geminiResultOf returns the result of a function. The API's reference: "Use "output" key to specify function output and "error"
// key to specify error details (if any)". The SDKs write "result", or the keys of an MCP server's result.
func geminiResultOf(response jsontext.Value, depth int) logs.Result {
	const deepest = 2 // nested results
	var keys struct {
		Output  *logs.Either   `json:"output"`
		Result  *logs.Either   `json:"result"`
		Error   jsontext.Value `json:"error"`
		Content jsontext.Value `json:"content"`
		IsError logs.AnyText   `json:"isError"`
		Rest    jsontext.Value `json:",embed"`
	}
	if response.Kind() != '{' || json.Unmarshal(response, &keys, logs.Lenient) != nil {
		return logs.Result{Text: logs.Text(response)}
	}
	r := logs.Result{Failed: keys.IsError == "true", Error: errorText(keys.Error)}
	hasKnownKey := keys.Output != nil || keys.Result != nil || r.Error != ""
	switch {
	case keys.Content.Kind() == '[':
		r.Text = logs.Text(keys.Content)
	case !isBlank(keys.Rest) || !hasKnownKey:
		r.Text = logs.CompactText(response)
	case keys.Output != nil:
		r.Text = keys.Output.JSON()
	case keys.Result == nil: // only an error
	case keys.Result.Other.Kind() == '{' && depth < deepest:
		inside := geminiResultOf(keys.Result.Other, depth+1)
		r.Text, r.Failed = inside.Text, r.Failed || inside.Failed
	default:
		r.Text = keys.Result.JSON()
	}
	return r
}

// geminiTypes maps the types of schemas, which Google writes in capitals, to those of JSON Schema.
var geminiTypes = map[string]string{
	"STRING": "string", "NUMBER": "number", "INTEGER": "integer", "BOOLEAN": "boolean", "ARRAY": "array", "OBJECT": "object", "NULL": "null",
}

// geminiSchema returns a schema of the API as JSON Schema, with types in lower case.
func geminiSchema(schema jsontext.Value) jsontext.Value {
	if schema.Kind() != '{' {
		return nil
	}
	var out bytes.Buffer
	dec := jsontext.NewDecoder(bytes.NewReader(schema), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	enc := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	followsType := false // the last token was the key "type"
	for {
		token, err := dec.ReadToken()
		if err != nil {
			break
		}
		kind, count := dec.StackIndex(dec.StackDepth())
		isKey := kind == '{' && count%2 == 1
		if token.Kind() == '"' && followsType && !isKey {
			if lower, ok := geminiTypes[strings.TrimPrefix(token.String(), "Type.")]; ok {
				token = jsontext.String(lower)
			}
		}
		followsType = isKey && token.Kind() == '"' && token.String() == "type"
		if enc.WriteToken(token) != nil {
			return schema
		}
	}
	return bytes.TrimSpace(out.Bytes())
}
