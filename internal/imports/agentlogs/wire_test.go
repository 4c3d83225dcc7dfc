package agentlogs

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/org/mcp-gates/internal/imports/logs"
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
			if diff := cmp.Diff(logs.Result{}, quick.result); diff != "" {
				t.Errorf("%q is not read, and yet changes the result:\n%s", raw, diff)
			}
			return
		}
		readAny(t, &full, raw)
		if diff := cmp.Diff(full.result, quick.result); diff != "" || full.waiting {
			t.Errorf("%q (-full +quick):\n%s", raw, diff)
		}
	})
}

// anyReader reads a file as the result of a call.
type anyReader struct{ call *wireCall }

func (r anyReader) Value(v logs.Value) { r.call.takeAny(v, v.Raw) }

func (r anyReader) End() {}

// readAny reads a result as one of a log.
func readAny(t *testing.T, into *wireCall, raw []byte) {
	t.Helper()
	one := &logs.Format{Name: "one", Open: func(*logs.Sink) logs.Reader { return anyReader{into} }}
	account, err := logs.Formats{one}.Read(fstest.MapFS{"log": {Data: raw}}, []string{"log"}, logs.Options{Format: "one"}, func(*logs.Run) error { return nil })
	if err != nil || len(account.Mistakes) > 0 {
		t.Fatalf("%q: got error %v and mistakes %v", raw, err, account.Mistakes)
	}
}
