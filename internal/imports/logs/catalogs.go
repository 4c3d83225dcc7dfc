package logs

import (
	"crypto/sha256"
	"fmt"

	"github.com/org/mcp-gates/internal/catalog"
)

// outLists is the account's reason for lists of offered tools with an element that cannot be read.
const outLists = "lists of offered tools that cannot be read"

// catalogs holds the catalogs of earlier sessions by the sums of the tools that they offered: sessions of one agent mostly have
// the same tools.
type catalogs map[[sha256.Size]byte]*catalog.Catalog

// catalog returns the tools that the model was offered; nil if the log has no list that can be read.
func (a *assembly) catalog() *catalog.Catalog {
	const most = 100
	sum := a.session.offeredSum()
	if known, ok := a.in.catalogs[sum]; ok {
		return known
	}
	before := a.in.account.LeftOut[outLists]
	read := a.offeredCatalog()
	if after := a.in.account.LeftOut[outLists]; after == before && len(a.in.catalogs) < most {
		a.in.catalogs[sum] = read
	}
	return read
}

// offeredSum returns a hash of the tools that the model was offered, and of everything that the names of these tools depend on.
func (s *Session) offeredSum() [sha256.Size]byte {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %t ", s.sink.format.Name, s.defersSome)
	for _, t := range s.tools {
		fmt.Fprintf(sum, "%d %s %d ", len(t.Server), t.Server, len(t.Tool)) // a name can hold any separator
		_, _ = sum.Write(t.Tool)
		fmt.Fprintf(sum, "%d %s", len(t.Name), t.Name)
	}
	return [sha256.Size]byte(sum.Sum(nil))
}
