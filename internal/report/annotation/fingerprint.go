package annotation

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Fingerprints returns one text for each item. Other programs recognize the item by this text in another commit, so the text is a
// hash of the rule, the path and the key, without the line. Items with the same hash are numbered in their order, as CodeQL does,
// because code scanning and GitLab show one item for each fingerprint.
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
