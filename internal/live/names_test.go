package live

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/catalog"
	"github.com/org/mcp-gates/internal/model"
)

func tools(pairs ...string) *catalog.Catalog {
	cat := &catalog.Catalog{}
	for i := 0; i < len(pairs); i += 2 {
		cat.Tools = append(cat.Tools, &catalog.Tool{Server: pairs[i], Name: pairs[i+1]})
	}
	return cat
}

func offeredNames(cat *catalog.Catalog) []string {
	list, _ := nameTools(cat)
	return namesOf(list)
}

func namesOf(list []model.Tool) []string {
	var names []string
	for _, t := range list {
		names = append(names, t.Name)
	}
	return names
}

func TestOfferedNames(t *testing.T) {
	long := strings.Repeat("n", 70)
	for _, test := range []struct {
		name string
		cat  *catalog.Catalog
		want []string
	}{
		{"as they are", tools("a", "get", "b", "put"), []string{"get", "put"}},
		{"of two servers", tools("a", "get", "b", "get"), []string{"a__get", "b__get"}},
		{"twice on one server", tools("a", "get", "a", "get"), []string{"get"}},
		{"other characters", tools("a", "föö.bar/baz", "a", ""), []string{"f___bar_baz", "tool"}},
		{"taken", tools("a", "b__get", "b", "get", "c", "get"), []string{"b__get", "b__get_2", "c__get"}},
		{"taken by one that must change", tools("a", "b.get", "b", "x__get", "a", "b_get", "x", "get", "y", "get"),
			[]string{"b_get_2", "x__get", "b_get", "x__get_2", "y__get"}},
		{"too long", tools("a", long+"1", "a", long+"2"), []string{long[:64], long[:62] + "_2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, offeredNames(test.cat)); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

// Fixed bugs: each of many names that come to the same was tried with all numbers again, which took seconds.
func TestOfferManyAlike(t *testing.T) {
	cat := &catalog.Catalog{}
	for i := range 10_000 {
		cat.Tools = append(cat.Tools, &catalog.Tool{Server: "s", Name: string(rune(0x4e00 + i))})
	}
	names := offeredNames(cat)
	if got, want := names[len(names)-1], "__10000"; got != want {
		t.Errorf("the last name is %q, want %q", got, want)
	}
}

// FuzzOffer: whatever servers call their tools, model interfaces take the names, and each leads back to its tool.
func FuzzOffer(f *testing.F) {
	f.Add("a", "get", "b", "get")
	f.Add("", "\x00", "é", strings.Repeat("x", 100))
	valid := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	f.Fuzz(func(t *testing.T, server, name, server2, name2 string) {
		cat := tools(server, name, server2, name2, server, name2, server2, name, "a", "b__c")
		list, byName := nameTools(cat)
		reached := map[catalog.Ref]bool{}
		for _, tool := range list {
			if !valid.MatchString(tool.Name) {
				t.Errorf("offered as %q", tool.Name)
			}
			reached[byName[tool.Name].Ref()] = true
		}
		for _, tool := range cat.Tools {
			if !reached[tool.Ref()] {
				t.Errorf("%+v is not offered", tool.Ref())
			}
		}
	})
}

// The order depends on name and run, and on nothing else.
func TestShuffled(t *testing.T) {
	var pairs []string
	for _, name := range strings.Split("abcdefghijklmnop", "") {
		pairs = append(pairs, "s", name)
	}
	order := func(name string, run int) string {
		list, _ := nameTools(tools(pairs...))
		shuffle(list, name, run)
		return strings.Join(namesOf(list), "")
	}
	if first, again := order("x", 1), order("x", 1); first != again {
		t.Error("the same run is shuffled in two ways")
	}
	if order("x", 1) == order("x", 2) || order("x", 1) == order("y", 1) {
		t.Error("two runs are shuffled in the same way")
	}
	letters := strings.Split(order("x", 3), "")
	slices.Sort(letters)
	if strings.Join(letters, "") != "abcdefghijklmnop" {
		t.Errorf("tools were lost: %v", letters)
	}
}
