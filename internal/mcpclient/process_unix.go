//go:build unix

package mcpclient

import (
	"os"
	"syscall"
	"time"
)

func terminate(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGTERM) }

func kill(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// endGroup ends the remaining processes in the group of a process that has just ended. The system does not reuse the
// group's number while the group has members.
func endGroup(p *os.Process) {
	if syscall.Kill(-p.Pid, syscall.SIGTERM) != nil {
		return // nothing is left
	}
	for deadline := time.Now().Add(groupTime); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if syscall.Kill(-p.Pid, 0) != nil {
			return
		}
	}
	kill(p)
}
