// Package chat reads the logs of programs that talk to the API of a model: messages, conversations, requests, replies and
// streams, in the forms of OpenAI, Anthropic and Gemini.
//
// A form is an api (api.go): it reads an object into an exchange, which is what one value of a log holds. Requests repeat what was
// said before. What puts exchanges together to conversations (dialog.go) is the same for all forms.
package chat
