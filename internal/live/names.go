package live

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/catalog"
)

// maxOffered is the longest name of a tool that the model interfaces take: ^[a-zA-Z0-9_-]{1,64}$ at both OpenAI and
// Anthropic.
const maxOffered = 64

var notOffered = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// offer returns the tools as a model is offered them, in the order of cat, and the tool that each offered name stands
// for. A name that several servers have becomes server__tool; what is then still too long, empty or taken ends in _2, _3
// and so on. Of two tools of one name on one server only the first is offered: no call could reach the other.
func offer(cat *catalog.Catalog) ([]Tool, map[string]*catalog.Tool) {
	servers := map[string]map[string]bool{}
	for _, t := range cat.Tools {
		if servers[t.Name] == nil {
			servers[t.Name] = map[string]bool{}
		}
		servers[t.Name][t.Server] = true
	}
	byName := make(map[string]*catalog.Tool, len(cat.Tools))
	seen := map[catalog.Ref]bool{}
	var tools []Tool
	for _, t := range cat.Tools {
		if seen[t.Ref()] {
			continue
		}
		seen[t.Ref()] = true
		name := t.Name
		if len(servers[t.Name]) > 1 {
			name = t.Server + "__" + t.Name
		}
		name = unique(name, byName)
		byName[name] = t
		tools = append(tools, Tool{Name: name, Server: t.Server, Real: t.Name, Description: t.Description, Schema: objectSchema(t.InputSchema)})
	}
	return tools, byName
}

// unique returns name as model interfaces take it, and as no other tool has it.
func unique(name string, taken map[string]*catalog.Tool) string {
	name = notOffered.ReplaceAllString(name, "_")
	if name == "" {
		name = "tool"
	}
	name = name[:min(len(name), maxOffered)]
	for n, base := 2, name; taken[name] != nil; n++ {
		end := fmt.Sprintf("_%d", n)
		name = base[:min(len(base), maxOffered-len(end))] + end
	}
	return name
}

// objectSchema returns the schema of a tool's arguments, which model interfaces want to be one of an object.
func objectSchema(schema jsontext.Value) jsontext.Value {
	if schema.Kind() != '{' {
		return jsontext.Value(`{"type":"object","properties":{}}`)
	}
	return schema
}

// shuffled returns the tools in an order that depends on the case's name and the run's number alone, so that over the
// runs a tool's position tells nothing.
func shuffled(cat *catalog.Catalog, name string, run int) *catalog.Catalog {
	sum := sha256.Sum256([]byte(name))
	random := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), uint64(run)))
	out := &catalog.Catalog{Tools: append([]*catalog.Tool(nil), cat.Tools...)}
	random.Shuffle(len(out.Tools), func(i, j int) { out.Tools[i], out.Tools[j] = out.Tools[j], out.Tools[i] })
	return out
}
