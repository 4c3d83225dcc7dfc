//go:build unix

package cli

import (
	"os"
	"syscall"
)

// passedOn are the signals that the proxy passes on to the server.
var passedOn = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH}
