// Package e2e tests the action from outside: the program as it is shipped runs as a container action would, in real git
// repositories, and sends its requests to a stand-in for GitHub on loopback.
//
// Package github is this stand-in, and is as strict as GitHub. Package runner stands in for the machine that runs a workflow, and
// package repo makes the repositories. A scenario is a row of the tables in the tests here: it sets up a repository and an event,
// runs the action once or more, and says what the results must be. Each scenario runs in a world, which checks what must hold in
// every scenario: see world_test.go.
//
// These tests are a module of their own, so that the program does not depend on the modules that they need.
package e2e
