// Package github stands in for GitHub on loopback, for one repository. It keeps state, and it is as strict as the original:
// limits on sizes and batches, orders of lists, permissions of tokens, rate limits. Every request must fit GitHub's
// published description of its API, and what does not is a problem that [Server.Problems] tells.
//
// A test makes a [Server] around a real git repository, adds pull requests and comments, lets the program run, and looks
// at what the server then holds. [Server.Fail] and [Server.Limit] make things go wrong.
package github
