//go:build !unix

package proxy

import "os/exec"

// separate does nothing: there are no process groups.
func separate(*exec.Cmd) {}
