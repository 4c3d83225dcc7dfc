//go:build !unix

package cli

import "os"

// passedOn are the signals that the proxy passes on to the server.
var passedOn = []os.Signal{os.Interrupt}
