package gates

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/org/mcp-gates/internal/catalog"
)

func TestVariants(t *testing.T) {
	tests := []struct{ name, v2, internal, otherCase, otherNumber, legacy, beta string }{
		{"get_product", "get_product_v2", "get_product_internal", "getProduct", "get_products", "legacy_get_product", "get_product_beta"},
		{"listFiles", "listFiles_v2", "listFiles_internal", "list_files", "listFile", "legacy_listFiles", "listFiles_beta"},
	}
	for _, test := range tests {
		want := []string{test.v2, test.internal, test.otherCase, test.otherNumber, test.legacy, test.beta}
		var got []string
		for _, variant := range variants {
			got = append(got, variant(test.name))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("variants of %s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestOtherCase(t *testing.T) {
	tests := []struct{ name, want string }{
		{"ListFiles", "list_files"}, {"search", "search"}, {"Search", "search"}, {"GET", "get"},
		{"HTTPServer", "http_server"}, {"getHTTP", "get_http"}, {"listS3Buckets", "list_s3_buckets"}, {"getV2", "get_v2"},
		{"get_v2", "getV2"}, {"get_URL", "getUrl"}, {"GET_PRODUCT", "getProduct"}, {"_hidden", "hidden"}, {"a__b_", "aB"},
		{"___", "___"}, {"", ""}, {"get-product", "get-product"}, {"files.read", "files.read"}, {"files.readAll", "files.read_all"},
		{"größe_ändern", "größeÄndern"}, {"größeÄndern", "größe_ändern"}, {"x1Y", "x1_y"}, {"aBox", "a_box"}, {"HTTPAt", "http_at"}, {"天気_取得", "天気取得"},
	}
	for _, test := range tests {
		if got := otherCase(test.name); got != test.want {
			t.Errorf("otherCase(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

func TestOtherNumber(t *testing.T) {
	tests := []struct{ name, want string }{
		{"get_status", "get_statuses"}, {"class", "classes"}, {"analysis", "analysises"}, {"get_box", "get_boxes"},
		{"quiz", "quizes"}, {"match", "matches"}, {"push", "pushes"}, {"query", "queries"}, {"get_day", "get_days"},
		{"y", "ys"}, {"by", "bies"}, {"ay", "ays"}, {"", "s"}, {"s", "ses"}, {"us", "uses"}, {"as", "ases"}, {"get_v2", "get_v2s"}, {"list.", "list.s"}, {"Ä", "Äs"},
		{"boxes", "box"}, {"classes", "class"}, {"buzzes", "buzz"}, {"matches", "match"}, {"pushes", "push"}, {"queries", "query"},
		{"days", "day"}, {"list_databases", "list_database"}, {"sizes", "size"}, {"ids", "id"}, {"LIST_FILES", "LIST_FILE"},
		{"schemas", "schema"}, {"repos", "repo"}, {"CITY", "CITies"}, {"fly-by", "fly-bies"}, {"天気s", "天気"},
	}
	for _, test := range tests {
		if got := otherNumber(test.name); got != test.want {
			t.Errorf("otherNumber(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

func TestNearDuplicates(t *testing.T) {
	tool := func(server, name string) *catalog.Tool {
		return &catalog.Tool{
			Server: server, Name: name, Description: "Does " + name + ".",
			InputSchema: jsontext.Value(`{"type":"object"}`), Raw: jsontext.Value(`{"name":"x","title":"X"}`),
		}
	}
	shop := []*catalog.Tool{tool("shop", "get_product"), tool("shop", "listFiles"), tool("shop", "get_product_v2"), tool("other", "list_files")}
	tests := []struct {
		name  string
		tools []*catalog.Tool
		count int
		want  string // ids, or the error
	}{
		{"none", shop[:1], 0, ""},
		{"kind by kind, names that the server has skipped", shop[:2], 6,
			"shop.listFiles_v2 shop.get_product_internal shop.listFiles_internal shop.getProduct shop.list_files shop.get_products"},
		{"all that there are", shop[:1], 5, "shop.get_product_internal shop.getProduct shop.get_products shop.legacy_get_product shop.get_product_beta"},
		{"too few", shop[:1], 6, `6 near duplicates are asked for, but only 5 are possible of "get_product"`},
		{"a tool named twice", []*catalog.Tool{shop[3], shop[3]}, 7, `7 near duplicates are asked for, but only 6 are possible of "list_files", "list_files"`},
		{"a kind that changes nothing", []*catalog.Tool{tool("s", "get-x")}, 6, `6 near duplicates are asked for, but only 5 are possible of "get-x"`},
		{"names made before", []*catalog.Tool{tool("s", "a"), tool("s", "a_v2")}, 3, "s.a_v2_v2 s.a_internal s.a_v2_internal"},
		{"one name on two servers", []*catalog.Tool{tool("s", "a"), tool("t", "a")}, 2, "s.a_v2 t.a_v2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made, err := nearDuplicates(test.tools, shop, test.count)
			var got []string
			for _, m := range made {
				got = append(got, m.Ref().ID())
			}
			text := strings.Join(got, " ")
			if err != nil {
				text = err.Error()
			}
			if text != test.want {
				t.Errorf("nearDuplicates of %d:\n got %s\nwant %s", test.count, text, test.want)
			}
		})
	}
}

func TestNearDuplicatesCopyTheTool(t *testing.T) {
	real := &catalog.Tool{
		Server: "shop", Name: "get_product", Description: "Gets a product.",
		InputSchema: jsontext.Value(`{"type":"object"}`), Annotations: jsontext.Value(`{"readOnlyHint":true}`),
		Raw: jsontext.Value(`{"name":"get_product","title":"Get product"}`),
	}
	made, err := nearDuplicates([]*catalog.Tool{real}, []*catalog.Tool{real}, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := made[0]
	if got.Description != real.Description || string(got.InputSchema) != string(real.InputSchema) || string(got.Annotations) != string(real.Annotations) {
		t.Errorf("the look-alike is %+v, want the description and schemas of %+v", got, real)
	}
	if text := string(catalog.Write(made)); strings.Contains(text, "title") || !strings.Contains(text, `"get_product_v2"`) {
		t.Errorf("the look-alike is offered as %s, want its own name and no title", text)
	}
}

func FuzzNearDuplicates(f *testing.F) {
	for _, name := range []string{"get_product", "listFiles", "", "İ_İ", "s", "__", "boxes", "ſ", "\xff_\xfe"} {
		f.Add(name, 6)
	}
	f.Fuzz(func(t *testing.T, name string, count int) {
		real := []*catalog.Tool{{Server: "s", Name: name}}
		made, err := nearDuplicates(real, real, count%8)
		if err != nil || count%8 < 0 {
			return
		}
		seen := map[string]bool{name: true}
		for _, m := range made {
			if seen[m.Name] || utf8.ValidString(name) && !utf8.ValidString(m.Name) {
				t.Errorf("%q: %q is no new name", name, m.Name)
			}
			seen[m.Name] = true
		}
	})
}
