// Package github stands in for GitHub on loopback, for one repository. It keeps state, and it is as strict as GitHub: it has
// GitHub's limits on sizes and batches, orders of lists, permissions of tokens, and rate limits. Every request must fit GitHub's
// published description of its API. A request that does not is one of [Server.Problems].
//
// A test makes a [Server] for a real git repository, adds pull requests and comments, runs the program, and then compares the
// server's check runs and comments. [Server.Fail] and [Server.Limit] make requests fail.
package github
