package logs

import (
	"crypto/sha256"
	"fmt"

	"github.com/org/mcp-gates/internal/catalog"
)

// outLists is the account's reason for lists of offered tools with an element that cannot be read.
const outLists = "lists of offered tools that cannot be read"

// catalogs holds the catalogs of earlier sessions, by [Session.offeredHash]. Sessions of one agent mostly have the same tools.
type catalogs map[[sha256.Size]byte]*catalog.Catalog

// cachedCatalog returns the tools that the model was offered; nil if the log has no list that can be read.
func (a *assembly) cachedCatalog() *catalog.Catalog {
	const maxCatalogs = 100
	hash := a.session.offeredHash()
	if known, ok := a.in.catalogs[hash]; ok {
		return known
	}
	leftOut := a.in.account.LeftOut[outLists]
	read := a.readCatalog()
	isReadable := a.in.account.LeftOut[outLists] == leftOut
	if isReadable && len(a.in.catalogs) < maxCatalogs {
		a.in.catalogs[hash] = read
	}
	return read
}

// offeredHash returns a hash of the tools that the model was offered, and of everything else that determines the names of these
// tools.
func (s *Session) offeredHash() [sha256.Size]byte {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %t ", s.sink.format.Name, s.defersSome)
	for _, t := range s.tools {
		fmt.Fprintf(sum, "%d %s %d ", len(t.Server), t.Server, len(t.Tool)) // a name can hold any separator
		_, _ = sum.Write(t.Tool)
		fmt.Fprintf(sum, "%d %s", len(t.Name), t.Name)
	}
	return [sha256.Size]byte(sum.Sum(nil))
}
