//go:build !unix

package mcpclient

import (
	"os"
	"os/exec"
)

// inGroup does nothing: without process groups, only the process itself is ended.
func inGroup(*exec.Cmd) {}

func terminate(p *os.Process) { p.Kill() }

func kill(p *os.Process) { p.Kill() }

func endGroup(*os.Process) {}
