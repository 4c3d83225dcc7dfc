// Package e2e tests the action from outside: the program as it is shipped runs as a container action would, in real git
// repositories, and talks to a GitHub on loopback.
//
// Package github stands in for GitHub and is as strict as the original, package runner for the machine that runs a
// workflow, and package repo makes the repositories. A scenario is a row of the tables in the tests here: it sets up a
// repository and an event, runs the action once or more, and says what must have come of it. What must hold in every
// scenario is checked by the world that they run in: see world_test.go.
//
// These tests are a module of their own, so that what they need is no dependency of what is shipped.
package e2e
