package imports

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// FuzzWireResult pins that the quick way of reading a result reads the same as the other, or nothing.
func FuzzWireResult(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"text","text":"a \"b\""},{"type":"text","text":"c"}],"isError":true}`,
		`{"content":[{"type":"text","text":""}],"structuredContent":{"a":1}}`,
		`{"content":[{"type":"image","mimeType":"image/png","data":"eA=="}]}`,
		`{"content":[{"type":"text","text":"a"}],"resultType":"input_required"}`,
		`{"content":[{"type":1,"text":"a"}]}`,
		`{"content":[{"text":null,"text":"a"},{"refusal":"no"}],"content":["a",null]}`,
		"{\"content\":[{\"text\":\"\xff\xff \\ud800\"}]}",
		`{"content":"a","structuredContent":[1]}`,
		`{}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var quick, full wireCall
		if !quick.takeTexts(raw) {
			if diff := cmp.Diff(Result{}, quick.result); diff != "" {
				t.Errorf("%q is not read, and yet changes the result:\n%s", raw, diff)
			}
			return
		}
		full.takeAny(Value{Raw: jsontext.Value(raw), sink: &Sink{in: newImport(Options{}, nil)}}, raw)
		if diff := cmp.Diff(full.result, quick.result); diff != "" || full.waiting {
			t.Errorf("%q (-full +quick):\n%s", raw, diff)
		}
	})
}
