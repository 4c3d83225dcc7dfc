package mcpclient

import (
	"os/exec"
	"syscall"
)

// inGroup makes a command start in a process group of its own, so that the whole group can be ended, and so that this
// program decides about Ctrl-C at the terminal. The command is killed when its parent, the thread that starts it, ends.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
