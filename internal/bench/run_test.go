package bench

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/catalog"
	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted output in testdata")

// byteCounter stands in for a tokenizer: a token is a byte.
type byteCounter struct{}

func (byteCounter) Text(s string) int { return len(s) }
func (byteCounter) Tool(t *catalog.Tool) int {
	return len(t.Name) + len(t.Description) + len(t.InputSchema)
}

// TestExamples runs the specs in testdata/run and compares with want.json and want.txt.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("testdata/run/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples in testdata/run: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			spec, errs := Read("spec.yml", content(archive, "spec.yml"), loader(archive))
			if errs != nil {
				t.Fatal(errs)
			}
			result := Run(spec, byteCounter{})
			var gotJSON, gotText bytes.Buffer
			if err := JSON(&gotJSON, result, false); err != nil {
				t.Fatal(err)
			}
			if err := Text(&gotText, result, false); err != nil {
				t.Fatal(err)
			}
			compare(t, archive, map[string][]byte{"want.json": gotJSON.Bytes(), "want.txt": gotText.Bytes()})
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func content(archive *txtar.Archive, name string) []byte {
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// compare compares got with the files of the archive that are named as it, or with -update replaces those.
func compare(t *testing.T, archive *txtar.Archive, got map[string][]byte) {
	t.Helper()
	for i, f := range archive.Files {
		data, ok := got[f.Name]
		if !ok {
			continue
		}
		if *update {
			archive.Files[i].Data = data
		} else if !bytes.Equal(data, f.Data) {
			t.Errorf("%s:\n%s", f.Name, diff.Diff("want", f.Data, "got", data))
		}
		delete(got, f.Name)
	}
	for name := range got {
		t.Errorf("the example has no file %s", name)
	}
}

// tool returns a tool that is described by words.
func tool(server, name, description string) *catalog.Tool {
	return &catalog.Tool{Server: server, Name: name, Description: description}
}

func TestWilson(t *testing.T) {
	tests := []struct {
		right, of int
		want      string
	}{
		{4, 5, "0.8000 0.3755 0.9638"}, {9, 10, "0.9000 0.5958 0.9821"}, {10, 10, "1.0000 0.7225 1.0000"},
		{0, 1, "0.0000 0.0000 0.7935"}, {2, 3, "0.6667 0.2077 0.9385"},
	}
	for _, test := range tests {
		mail, post := tool("", "mail", ""), tool("", "post", "")
		spec := Spec{Catalog: &catalog.Catalog{Tools: []*catalog.Tool{mail, post}}}
		for i := range test.of {
			gold := mail
			if i >= test.right {
				gold = post
			}
			spec.Intents = append(spec.Intents, Intent{Query: "mail", Gold: []*catalog.Tool{gold}})
		}
		r := Run(spec, nil)
		got := fmt.Sprintf("%s %s %s", fraction(r.Accuracy()), tenThousandths(r.WilsonLow), tenThousandths(r.WilsonHigh))
		if got != test.want {
			t.Errorf("accuracy and interval of %d of %d: got %s, want %s", test.right, test.of, got, test.want)
		}
	}
}

// TestEffects compares each effect with a benchmark of a catalog in which the description is changed for good.
func TestEffects(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 50 {
		spec := randomSpec(r)
		result := Run(spec, byteCounter{})
		for _, e := range result.Effects {
			changed := withEffect(spec, e.Mutation)
			want := Run(changed, byteCounter{})
			if e.Correct != want.Correct || e.Lost != result.Correct-want.Correct {
				t.Fatalf("%s: correct %d, lost %d, want %d of %d left", e.Mutation.text(), e.Correct, e.Lost, want.Correct, result.Correct)
			}
			if int64(e.SurfaceRemoved) != result.SurfaceTokens-want.SurfaceTokens ||
				int64(e.WhitespaceRemoved) != result.WhitespaceTokens-want.WhitespaceTokens {
				t.Fatalf("%s: tokens removed %d and %d, want those of\n%+v\nless those of\n%+v",
					e.Mutation.text(), e.WhitespaceRemoved, e.SurfaceRemoved, result, want)
			}
			for smell, n := range want.Smells {
				if added := max(0, n-result.Smells[smell]); e.Smells[smell] != added {
					t.Fatalf("%s: %d more findings of %s, want %d", e.Mutation.text(), e.Smells[smell], smell, added)
				}
			}
		}
	}
}

// withEffect returns spec with a mutation done to its catalog.
func withEffect(spec Spec, m Mutation) Spec {
	replaced := map[*catalog.Tool]*catalog.Tool{}
	changed := Spec{Catalog: &catalog.Catalog{}}
	for _, t := range spec.Catalog.Tools {
		copied := *t
		if t == m.Tool {
			copied.Description = m.apply(t.Description)
		}
		replaced[t] = &copied
		changed.Catalog.Tools = append(changed.Catalog.Tools, &copied)
	}
	for _, intent := range spec.Intents {
		gold := make([]*catalog.Tool, len(intent.Gold))
		for i, t := range intent.Gold {
			gold[i] = replaced[t]
		}
		changed.Intents = append(changed.Intents, Intent{Query: intent.Query, Gold: gold})
	}
	return changed
}

func randomSpec(r *rand.Rand) Spec {
	vocabulary := strings.Fields("mail post send read list delete returns a file of team issue board page user")
	text := func(n int) string {
		words := make([]string, r.IntN(n))
		for i := range words {
			words[i] = vocabulary[r.IntN(len(vocabulary))]
		}
		return strings.Join(words, " ")
	}
	spec := Spec{Catalog: &catalog.Catalog{}}
	for i := range 2 + r.IntN(6) {
		spec.Catalog.Tools = append(spec.Catalog.Tools, tool("", fmt.Sprintf("%s_%d", strings.ReplaceAll(text(3), " ", "_"), i), text(30)))
	}
	one := func() *catalog.Tool { return spec.Catalog.Tools[r.IntN(len(spec.Catalog.Tools))] }
	for range 1 + r.IntN(8) {
		spec.Intents = append(spec.Intents, Intent{Query: text(8), Gold: []*catalog.Tool{one(), one()}})
	}
	for range r.IntN(8) {
		spec.Mutations = append(spec.Mutations, Mutation{one(), "", kinds[r.IntN(len(kinds))], r.IntN(40), "mail"})
	}
	spec.Auto = r.IntN(2) == 0
	return spec
}

// TestDeterminism runs a benchmark twice, and on its intents in another order.
func TestDeterminism(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		spec := randomSpec(r)
		var first, second bytes.Buffer
		result := Run(spec, byteCounter{})
		if err := JSON(&first, result, true); err != nil {
			t.Fatal(err)
		}
		if err := JSON(&second, Run(spec, byteCounter{}), true); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("two runs:\n%s", diff.Diff("first", first.Bytes(), "second", second.Bytes()))
		}
		slices.Reverse(spec.Intents)
		reversed := Run(spec, byteCounter{})
		if reversed.Correct != result.Correct || len(reversed.Confusions) != len(result.Confusions) {
			t.Fatalf("intents reversed: got %+v, want %+v", reversed, result)
		}
	}
}

func TestAutoOrder(t *testing.T) {
	spec := randomSpec(rand.New(rand.NewPCG(13, 14)))
	spec.Auto = true
	effects := Run(spec, nil).Effects
	if got, want := len(effects), 2*len(spec.Catalog.Tools); got != want {
		t.Fatalf("mutations tried on %d tools: got %d, want %d", len(spec.Catalog.Tools), got, want)
	}
	for i, e := range effects[1:] {
		before := effects[i]
		if e.Lost > before.Lost || e.Lost == before.Lost && e.Tool < before.Tool {
			t.Errorf("%s of %s with a drop of %d stands after %s of %s with %d",
				e.Mutation.Kind, e.Tool, e.Lost, before.Mutation.Kind, before.Tool, before.Lost)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	r := rand.New(rand.NewPCG(15, 16))
	zipf := rand.NewZipf(r, 1.1, 4, 2000)
	text := func(n int) string {
		var words strings.Builder
		for range n {
			v := zipf.Uint64()
			fmt.Fprintf(&words, "%c%c%c ", 'a'+v%26, 'e'+v/26%10, 'k'+v/260)
		}
		return words.String()
	}
	spec := Spec{Catalog: &catalog.Catalog{}}
	for i := range 200 {
		spec.Catalog.Tools = append(spec.Catalog.Tools, tool("", fmt.Sprintf("tool_%d", i), text(60)))
	}
	for i := range 500 {
		spec.Intents = append(spec.Intents, Intent{Query: text(12), Gold: spec.Catalog.Tools[i%200 : i%200+1]})
	}
	for _, auto := range []bool{false, true} {
		b.Run(fmt.Sprintf("auto=%t", auto), func(b *testing.B) {
			spec.Auto = auto
			for b.Loop() {
				Run(spec, nil)
			}
		})
	}
}
