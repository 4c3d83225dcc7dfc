package gates

import (
	_ "embed" // for the bundled list
	"slices"
	"sync"

	"github.com/org/mcp-gates/internal/catalog"
)

// distractorServer is the name under which the bundled distractors are served.
const distractorServer = "distractor"

// bundledFile holds the bundled distractors by domain. New tools go to the end of a domain, and new domains to the end of the file,
// because recordings without a list are scored against the first tools of this file.
//
//go:embed distractors.json
var bundledFile []byte

// bundled returns the bundled distractors. They are read when a suite first asks for them, and must not be changed.
var bundled = sync.OnceValue(func() []*catalog.Tool {
	list, mistakes := catalog.Read("distractors.json", bundledFile)
	if len(mistakes) > 0 {
		return nil // unreachable, because a test reads the file
	}
	return interleave(list.Tools)
})

// interleave takes one tool of each domain in turn, so that even the first few tools are of different domains. The domains are the
// servers of the tools.
func interleave(tools []*catalog.Tool) []*catalog.Tool {
	var domains []string
	byDomain := map[string][]*catalog.Tool{}
	for _, tool := range tools {
		if !slices.Contains(domains, tool.Server) {
			domains = append(domains, tool.Server)
		}
		byDomain[tool.Server] = append(byDomain[tool.Server], tool)
	}
	mixed := make([]*catalog.Tool, 0, len(tools))
	for round := 0; len(mixed) < len(tools); round++ {
		for _, domain := range domains {
			if round < len(byDomain[domain]) {
				tool := *byDomain[domain][round]
				tool.Server = distractorServer
				mixed = append(mixed, &tool)
			}
		}
	}
	return mixed
}
