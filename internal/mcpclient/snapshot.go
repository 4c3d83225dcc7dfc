package mcpclient

import (
	"cmp"
	"context"
	"errors"

	"github.com/org/mcp-gates/internal/redact"
)

// Snapshot starts or reaches a server, reads its tools and ends the server. The rules remove secrets from the tools and
// from an error.
func Snapshot(ctx context.Context, c Config, info Info, rules *redact.Rules) (Listing, error) {
	file := rules.File()
	c.Rules = rules
	list, err := readSnapshot(ctx, c, info)
	if err != nil {
		return Listing{}, errors.New(SafeText(file, err))
	}
	list.Catalog = list.Catalog.Redacted(file)
	return list, nil
}

func readSnapshot(ctx context.Context, c Config, info Info) (Listing, error) {
	s, err := Connect(ctx, c, info)
	if err != nil {
		return Listing{}, err
	}
	list, err := s.listTools(ctx)
	return list, cmp.Or(err, s.Close())
}
