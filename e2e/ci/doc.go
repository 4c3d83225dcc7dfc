// Package ci tests the files of examples/ci as far as one machine can: the note of GitLab with the shell, curl and jq against a
// stand-in of GitLab's API.
package ci
