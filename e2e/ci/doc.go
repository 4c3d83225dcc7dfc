// Package ci tests the files of examples/ci as far as one machine can: it runs the script for GitLab's note, which needs a shell,
// curl and jq, against a stand-in for GitLab's API.
package ci
