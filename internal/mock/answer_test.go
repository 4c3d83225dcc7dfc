package mock

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/thorough"
)

const scripted = `
    - name: get
      responses:
        - when: {city: Oslo, days: 1}
          content: ["Oslo, one day"]
        - when: {city: Oslo}
          content: [Oslo]
        - when: {at: {lat: 1.5, tags: [a, {b: true}]}, note: null}
          content: [deep]
        - when: {big: 1e10}
          content: [ten]
        - when: {list: []}
          content: [none]
        - when: {map: {}}
          content: [any map]
        - when: {city: ""}
          content: []
          is_error: true
      response:
        content: ["not ${args.city}", {type: text, text: "$${args.city} ${args.at} ${args.at.tags.1.b} ${args.a.b}|"}]
    - name: strict
      responses: [{when: {a: 1}, content: one}]
    - name: rich
      output_schema: {type: object}
      response:
        content:
          - {type: image, data: AAEC, mime_type: image/png}
          - {type: audio, data: AAEC, mimeType: audio/wav}
          - {type: resource_link, uri: "file:///${args.x}", name: n, title: t, description: d, mime_type: text/plain}
          - {type: resource, resource: {uri: "file:///a", text: "é"}}
          - {type: resource, resource: {uri: "file:///a", blob: AAEC, mime_type: a/b}}
        structured_content: {z: "${args.x}", a: [1, null, false]}
`

func TestResponses(t *testing.T) {
	session := dial(t, tools(t, scripted), Options{})
	for _, test := range []struct{ name, args, want string }{
		{"get", `{"city":"Oslo","days":1}`, "Oslo, one day;"},
		{"get", `{"days":1.0,"city":"Oslo","more":true}`, "Oslo, one day;"},
		{"get", `{"days":10e-1,"city":"Oslo"}`, "Oslo, one day;"},
		{"get", `{"city":"Oslo","days":"1"}`, "Oslo;"},
		{"get", `{"city":"Oslo","days":1e999999999}`, "Oslo;"},
		{"get", `{"at":{"lat":1.50,"lon":2,"tags":["a",{"b":true,"c":0}]},"note":null}`, "deep;"},
		{"get", `{"at":{"lat":1.5,"tags":["a",{"b":true},"c"]},"note":null,"city":"x"}`, `not x;${args.city} {"lat":1.5,"tags":["a",{"b":true},"c"]} true |;`},
		{"get", `{"at":{"lat":1.5,"tags":["a",{"b":true}]},"city":"x"}`, `not x;${args.city} {"lat":1.5,"tags":["a",{"b":true}]} true |;`},
		{"get", `{"big":10000000000}`, "ten;"},
		{"get", `{"list":[]}`, "none;"},
		{"get", `{"list":[1],"city":"y"}`, "not y;${args.city}   |;"},
		{"get", `{"map":{"x":1}}`, "any map;"},
		{"get", `{"city":""}`, "is_error "},
		{"get", `{"city":7,"a.b":"dotted"}`, "not 7;${args.city}   dotted|;"},
		{"get", `{"city":"${args.at}\u0000\"<"}`, "not ${args.at}\x00\"<;${args.city}   |;"},
		{"get", ``, "not ;${args.city}   |;"},
		{"strict", `{"a":2}`, "is_error no response of the manifest matches these arguments;"},
		{"strict", `{"a":1}`, "one;"},
		{
			"rich", `{"x":"q"}`, `{"type":"image","mimeType":"image/png","data":"AAEC"};{"type":"audio","mimeType":"audio/wav","data":"AAEC"};` +
				`{"type":"resource_link","mimeType":"text/plain","uri":"file:///q","name":"n","title":"t","description":"d"};` +
				`{"type":"resource","resource":{"uri":"file:///a","text":"é"}};{"type":"resource","resource":{"uri":"file:///a","mimeType":"a/b","blob":"AAEC"}};` +
				`{"a":[1,null,false],"z":"q"}`,
		},
	} {
		for range 2 { // the same arguments get the same answer
			if got := call(t, session, test.name, test.args); got != test.want {
				t.Errorf("%s(%s):\n got: %q\nwant: %q", test.name, test.args, got, test.want)
			}
		}
	}
}

// Pins that one large argument many times over does not fill the memory.
func TestAnswerSize(t *testing.T) {
	d := tools(t, "    - {name: a, response: {content: [\""+strings.Repeat("${args.x}", 1000)+"\"]}}\n")
	got := call(t, dial(t, d, Options{}), "a", `{"x":"`+strings.Repeat("x", thorough.Size(1<<16, 1<<20))+`"}`)
	if want := "is_error the arguments make the answer larger than 16 MiB;"; got != want {
		t.Errorf("got %.100q, want %q", got, want)
	}
}

// Pins that the examples are read without a mistake, and answer.
func TestExamples(t *testing.T) {
	for _, test := range []struct{ file, tool, args, want string }{
		{"weather.yml", "get_current_weather", `{"city":"Oslo"}`, `Oslo: 5 °C, light rain, wind 4 m/s;{"city":"Oslo","sky":"light rain","temperature":5}`},
		{"weather.yml", "get_forecast", `{"city":"Rome","days":1}`, "Rome tomorrow: 4 to 9 °C, showers, 60 % chance of rain;"},
		{"calendar.yml", "list_events", `{"date":"2026-03-09"}`, "ev_101 09:00-09:30 Stand-up (Ada, Linus);ev_102 14:00-15:00 Design review (Ada, Grace);"},
		{"calendar.yml", "delete_event", `{"id":"ev_9"}`, "is_error No event has the id ev_9.;"},
	} {
		name := filepath.Join("../../examples/mock", test.file)
		text, err := source.ReadFile(os.DirFS("../../examples/mock"), test.file, source.MaxSuite)
		if err != nil {
			t.Fatal(err)
		}
		d, mistakes := ReadManifest(name, text)
		if err := mistakes.Err(); err != nil {
			t.Fatal(err)
		}
		if got := call(t, dial(t, d, Options{}), test.tool, test.args); got != test.want {
			t.Errorf("%s: %s(%s):\n got: %s\nwant: %s", name, test.tool, test.args, got, test.want)
		}
	}
}
