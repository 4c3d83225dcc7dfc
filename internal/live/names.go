package live

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/org/mcp-gates/internal/agents"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/lists"
	"github.com/org/mcp-gates/internal/model"
)

// maxNameLength is the length of the longest tool name that the model interfaces accept.
const maxNameLength = agents.LongestFunctionName

var (
	validName        = regexp.MustCompile(fmt.Sprintf(`^[A-Za-z0-9_-]{1,%d}$`, maxNameLength))
	invalidCharacter = regexp.MustCompile(`[^A-Za-z0-9_-]`)
)

// nameTools returns the tools for a model, in the order of cat, and the tool of each offered name. A name that several servers have
// becomes server__tool. Invalid characters become _, an empty name becomes tool, a name that is too long is cut, and a name that is
// taken gets the ending _2, _3 and so on. Tools that can keep their name are named first. If one server has two tools of one name,
// only the first is offered, because no call could reach the other.
func nameTools(cat *catalog.Catalog) ([]model.Tool, map[string]*catalog.Tool) {
	distinct, servers := distinctTools(cat)
	byName := make(map[string]*catalog.Tool, len(distinct))
	names := make(map[*catalog.Tool]string, len(distinct))
	nextNumber := map[string]int{}
	for _, t := range distinct {
		if servers[t.Name] == 1 && validName.MatchString(t.Name) {
			names[t], byName[t.Name] = t.Name, t
		}
	}
	for _, t := range distinct {
		if names[t] != "" {
			continue
		}
		wanted := t.Name
		if servers[t.Name] > 1 {
			wanted = t.Server + "__" + t.Name
		}
		names[t] = uniqueName(wanted, byName, nextNumber)
		byName[names[t]] = t
	}
	tools := lists.Map(distinct, func(t *catalog.Tool) model.Tool {
		return model.Tool{Name: names[t], Server: t.Server, Real: t.Name, Description: t.Description, Schema: objectSchema(t.InputSchema)}
	})
	return tools, byName
}

// distinctTools returns the tools without repeats of a name on one server, and for each name the number of servers that have
// it.
func distinctTools(cat *catalog.Catalog) (distinct []*catalog.Tool, servers map[string]int) {
	servers = map[string]int{}
	seen := map[catalog.Ref]bool{}
	for _, t := range cat.Tools {
		if seen[t.Ref()] {
			continue
		}
		seen[t.Ref()] = true
		servers[t.Name]++
		distinct = append(distinct, t)
	}
	return distinct, servers
}

// uniqueName returns a name that the model interfaces accept and no other tool has. nextNumber has, for each name, the next number
// to add to it.
func uniqueName(name string, taken map[string]*catalog.Tool, nextNumber map[string]int) string {
	name = cmp.Or(invalidCharacter.ReplaceAllString(name, "_"), "tool")
	name = name[:min(len(name), maxNameLength)]
	base := name
	for n := max(2, nextNumber[base]); taken[name] != nil; n++ {
		ending := fmt.Sprintf("_%d", n)
		name = base[:min(len(base), maxNameLength-len(ending))] + ending
		nextNumber[base] = n + 1
	}
	return name
}

// objectSchema returns the schema of a tool's arguments. If it is not a JSON object, the result is the schema of an
// empty object, because model interfaces require one.
func objectSchema(schema jsontext.Value) jsontext.Value {
	if schema.Kind() != '{' {
		return jsontext.Value(`{"type":"object","properties":{}}`)
	}
	return schema
}

// shuffle puts the tools into an order that depends only on the case's name and the run's number, so that over all runs
// the position of a tool does not matter.
func shuffle[T any](tools []T, name string, run int) {
	sum := sha256.Sum256([]byte(name))
	random := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), uint64(run)))
	random.Shuffle(len(tools), func(i, j int) { tools[i], tools[j] = tools[j], tools[i] })
}
