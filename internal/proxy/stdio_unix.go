//go:build unix && !linux

package proxy

import (
	"os/exec"
	"syscall"
)

// separate has a command started in a process group of its own, because signals that the whole group gets, as from a
// terminal, would reach it twice: they are passed on.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
