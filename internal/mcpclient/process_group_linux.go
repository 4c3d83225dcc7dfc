package mcpclient

import (
	"os/exec"
	"syscall"
)

// inGroup makes a command start in a process group of its own, so that the whole group can be ended, and so that this
// program decides about Ctrl-C at the terminal. The command is killed with this program: its parent is the thread that
// starts it.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
