// Package message replaces golang.org/x/text/message: messages are English, and the tables of all other languages would add
// 160 KB to the program.
package message

import "fmt"

// Printer formats messages as package fmt does.
type Printer struct{}

// Sprintf formats as [fmt.Sprintf] does.
func (*Printer) Sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }
