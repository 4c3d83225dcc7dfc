//go:build unix && !linux

package proxy

import (
	"os/exec"
	"syscall"
)

// separate makes a command start in a process group of its own: signals for the whole group, for example from a
// terminal, would reach the command twice, because this program also passes them on.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
