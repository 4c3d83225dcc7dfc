//go:build unix && !linux

package mcpclient

import (
	"os/exec"
	"syscall"
)

// inGroup has a command started in a process group of its own, so that all of it can be ended, and so that Ctrl-C at
// the terminal is ours to act on.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
