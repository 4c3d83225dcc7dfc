// Package chat reads the logs of programs that use the API of a model: messages, conversations, requests, replies and streams,
// in the forms of OpenAI, Anthropic and Gemini.
//
// Each form is an api (api.go), which reads an object into an exchange, the content of one value of a log. Requests repeat the
// earlier turns. All forms share the code that assembles conversations from exchanges (dialog.go).
package chat
