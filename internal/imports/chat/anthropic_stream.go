package chat

import (
	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/imports/logs"
)

// anthropicStream is a reply that arrives in events.
type anthropicStream struct {
	exchange *exchange
	message  anthropicBody
	texts    [][]byte // texts of the blocks, by index
	inputs   [][]byte // inputs of the blocks as JSON text, by index
	size     int
}

// anthropicDelta is the addition of an event to a block, or to the message.
type anthropicDelta struct {
	Text logs.AnyText `json:"text"`
	JSON logs.AnyText `json:"partial_json"`
	Stop logs.AnyText `json:"stop_reason"`
}

// readEvent reads an event of a stream. The last event completes the reply.
func (a *anthropicAPI) readEvent(p *parser, b *anthropicBody) (isEvent bool, has objectKind) {
	switch b.Type {
	case "message_start":
		if a.stream != nil {
			p.value.Skip("begins a stream before the one before it came to its end")
		}
		s := &anthropicStream{exchange: p.exchange}
		logs.Members(b.Rest, func(key string, value jsontext.Value) {
			if key == "message" {
				p.value.DecodePart(value, &s.message)
			}
		})
		s.message.Content = nil
		a.stream = s
	case "content_block_start", "content_block_delta", "message_delta":
		if a.stream == nil {
			p.value.Skip("is an event of a stream whose beginning is not in the log")
			return true, objectNone
		}
		a.stream.addEvent(b)
	case "message_stop":
		if a.stream == nil {
			return true, objectNone
		}
		p.exchange.pos = a.stream.exchange.pos
		a.stream.completeReply(p)
		a.stream = nil
		return true, objectWhole
	case "content_block_stop", "ping":
	default:
		return false, objectNone
	}
	return true, objectNone
}

// readRest reads a streamed reply whose end is missing.
func (a *anthropicAPI) readRest(p *parser) bool {
	if a.stream == nil {
		return false
	}
	p.exchange.pos, p.value.Pos = a.stream.exchange.pos, a.stream.exchange.pos
	a.stream.message.Stop = ""
	a.stream.completeReply(p)
	a.stream = nil
	return true
}

// maxBlocks bounds the number of blocks of a streamed reply, because a log could have any index.
const maxBlocks = 10_000

// addEvent adds an event of a streamed reply.
func (s *anthropicStream) addEvent(b *anthropicBody) {
	if b.Type == "message_delta" {
		s.message.Stop = b.Delta.value.Stop
		s.message.Usage.value.Output = b.Usage.value.Output
		return
	}
	i, delta := int(b.Index.N), &b.Delta.value
	s.size += len(delta.Text) + len(delta.JSON)
	if i >= maxBlocks || s.size > logs.MaxValue {
		return
	}
	for len(s.texts) <= i {
		s.texts, s.inputs = append(s.texts, nil), append(s.inputs, nil)
		s.message.Content = append(s.message.Content, anthropicBlock{})
	}
	if b.Block.given {
		s.message.Content[i] = b.Block.value
		s.texts[i] = []byte(b.Block.value.Text)
	}
	s.texts[i] = append(s.texts[i], delta.Text...)
	s.inputs[i] = append(s.inputs[i], delta.JSON...)
}

func (s *anthropicStream) completeReply(p *parser) {
	if s.size > logs.MaxValue {
		p.to.CountTooLarge(p.value.Pos)
		return
	}
	for i := range s.texts {
		b := &s.message.Content[i]
		b.Text = logs.AnyText(s.texts[i])
		if len(s.inputs[i]) > 0 {
			b.Input, _ = jsontext.AppendQuote(nil, s.inputs[i])
		}
	}
	s.message.readReply(p)
}
