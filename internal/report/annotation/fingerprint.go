package annotation

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Fingerprints returns a text for each item by which other programs know it again in another commit: of its rule, its path
// and what it is about, and of no line, so that it survives lines that move. Items that share all of this are numbered
// in their order, as CodeQL does, because code scanning and GitLab show one item for each fingerprint.
func Fingerprints(list []Item) []string {
	prints := make([]string, len(list))
	seen := map[string]int{}
	for i, a := range list {
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", a.Rule, a.Path, a.Key))
		hash := hex.EncodeToString(sum[:16])
		seen[hash]++
		prints[i] = fmt.Sprintf("%s:%d", hash, seen[hash])
	}
	return prints
}
