package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzValues compares with encoding/json, on all JSON that is valid by RFC 8259 and on what is not.
func FuzzValues(f *testing.F) {
	for _, text := range []string{
		`null`, ` true`, `[false, "a", 1.50e+2, -0, {}]`, `{"a": {"b": [[]]}, "a": 2}`, `{"a": [1], "a": {"c": 3}}`, `"\ud800 \ud83d\ude00 \u00e9"`,
		"\"\xff\xfe\"", "{\"\xff\": 1, \"\ufffd\": 2}", `{"\u0061": 1, "a": 2}`, "1 2", `{"a": 1} x`, ``, ` `, `[1,]`, `{"a"}`, `{1: 2}`, `[`, `nul`, "\"\t\"",
		`123456789012345678901234567890.5`, `01`, `"\ud800\ud800"`, `"\udc00"`, "\"\xed\xa0\x80\"", "\ufeff1", `1e`, `{"a":1,"a":2,}`, `[1 2]`,
		strings.Repeat("[", 9999) + strings.Repeat("]", 9999), strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
		strings.Repeat("[", 10001) + strings.Repeat("]", 10001), strings.Repeat(`{"":`, 10001) + "1" + strings.Repeat("}", 10001),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := Values(raw)
		want, wantErr := plainValues(raw)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%.200q: got error %v, want %v", raw, err, wantErr)
		}
		// cmp.Diff takes time without end for values that are nested deep.
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%.200q: got %#v, want %#v", raw, got, want)
		}
	})
}

func plainValues(raw []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

func BenchmarkValues(b *testing.B) {
	raw := []byte(`{"reservation_id": "4WQ150", "passengers": [{"first_name": "Chen", "last_name": "Jackson", "dob": "1956-07-07"}], "payment_id": "gift_card_3576581", "total_baggages": 2}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Values(raw); err != nil {
			b.Fatal(err)
		}
	}
}
