package lexical

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// published is real catalogs with real queries, and how many of them the selector gets right.
var published = []struct {
	catalog, intents string
	right, of        int
}{
	{"azure-mcp-namespace", "azure-mcp-namespace", 365, 455},
	{"livemcpbench-all", "livemcpbench", 32, 95},
	{"metatool", "metatool-multi", 205, 497},
}

func TestPublishedData(t *testing.T) {
	dir := os.Getenv("MCP_GATES_DATA")
	if dir == "" {
		t.Skip("MCP_GATES_DATA is not set: accuracy on published catalogs is not checked")
	}
	for _, test := range published {
		t.Run(test.intents, func(t *testing.T) {
			docs := readDocs(t, filepath.Join(dir, "catalogs", test.catalog+".json"))
			queries, gold := readIntents(t, filepath.Join(dir, "intents", test.intents+".jsonl"))
			right := 0
			for i, pick := range NewSelector(docs, queries).Picks() {
				if pick != None && slices.Contains(gold[i], docs[pick].Name) {
					right++
				}
			}
			if right != test.right || len(queries) != test.of {
				t.Errorf("right picks: got %d of %d, want %d of %d", right, len(queries), test.right, test.of)
			}
		})
	}
}

func readDocs(t *testing.T, file string) []Doc {
	t.Helper()
	var content struct{ Tools []Doc }
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &content)
	}
	if err != nil {
		t.Fatal(err)
	}
	return content.Tools
}

func readIntents(t *testing.T, file string) (queries []string, gold [][]string) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var intent struct {
			Query string
			Gold  []string
		}
		if err := json.Unmarshal(lines.Bytes(), &intent); err != nil {
			t.Fatal(err)
		}
		queries, gold = append(queries, intent.Query), append(gold, intent.Gold)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return queries, gold
}
