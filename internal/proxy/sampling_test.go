package proxy

//lint:file-ignore SA1019 older versions of the protocol have sampling, which is to pass

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sample is a tool that has the client sample.
func sample(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer, err := r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1, Messages: []*mcp.SamplingMessage{
		{Role: "user", Content: &mcp.TextContent{Text: "who?"}},
	}})
	if err != nil {
		return nil, err
	}
	return textResult("sampled " + answer.Content.(*mcp.TextContent).Text), nil
}

// withSampling returns the options of a client that samples.
func withSampling(o *mcp.ClientOptions) *mcp.ClientOptions {
	o.CreateMessageHandler = func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
		return &mcp.CreateMessageResult{Model: "m", Role: "assistant", Content: &mcp.TextContent{Text: "me"}}, nil
	}
	return o
}
