// Package shard divides the cases of a check among machines, and collects the reports of these shards.
//
// [Parse] reads "2/8". A [Division] assigns cases to shards. A [Plan] describes the whole check, which all shards share. A
// [Set] has the reports of the shards: it returns the outcome of each case, and finds shards that are missing, doubled or of
// another check.
package shard

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/org/mcp-gates/internal/lists"
)

// maxShards bounds the number of shards of a check: "A matrix will generate a maximum of 256 jobs per workflow run" (GitHub's
// usage limits).
const maxShards = 256

// Division divides cases into shards.
type Division struct {
	Index, Of int      // the shard, 1 to Of
	Weights   *Weights // balance the shards; if nil, only the ids of the cases count
}

// Parse reads a shard in the form I/N, the I-th of N.
func Parse(text string) (*Division, error) {
	index, of, ok := strings.Cut(text, "/")
	i, errIndex := strconv.ParseUint(index, 10, 16)
	n, errOf := strconv.ParseUint(of, 10, 16)
	if !ok || errIndex != nil || errOf != nil || i < 1 || i > n || n > maxShards {
		return nil, fmt.Errorf("must be I/N, the I-th of at most %d shards, such as 2/8; found %q", maxShards, clip(text))
	}
	return &Division{Index: int(i), Of: int(n)}, nil
}

func clip(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// Shards returns the shard of each case, 1 to Of, by the cases' ids.
func (d *Division) Shards(ids []string) []int {
	if d.Weights != nil {
		return d.Weights.balance(ids, d.Of)
	}
	return lists.Map(ids, func(id string) int { return shardOf(id, d.Of) })
}

// shardOf returns the shard of a case by its id alone, so that a new case does not move others.
func shardOf(id string, of int) int {
	hash := sha256.Sum256([]byte(id))
	return 1 + int(binary.BigEndian.Uint64(hash[:8])%uint64(of))
}
