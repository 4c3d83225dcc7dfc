package suite

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestServers(t *testing.T) {
	for _, test := range []struct {
		name, yaml string
		want       []string // servers as NAME CATALOG, or mistakes
	}{
		{"catalogs need not be there", "servers:\n  a: { command: [x], catalog: c/a.json }\n  b: { url: 'http://b', catalog: ../out.json }\n  c: {}\n",
			[]string{`a "sub/c/a.json"`, `b "out.json"`, `c ""`}},
		{"the rest is not read", "servers:\n  a: { command: ['${v}'] }\nvariables: { v: { from_env: V } }\nagents: 5\nnonsense: 1\n", []string{`a ""`}},
		{"mistakes in what is read", "servers:\n  a: { comand: [x], catalog: ../../c.json }\n  b: { command: ['${v}'] }\nvariables: { v: {} }\n", []string{
			`sub/s.yml:2:8: unknown key "comand", did you mean "command"?`,
			`sub/s.yml:2:30: "catalog" must be a path inside the workspace, found "../../c.json"`,
			`sub/s.yml:4:17: "from_env" and "default" are missing, expected one of them or both`,
		}},
		{"odd servers", "servers: [1]\n", []string{`sub/s.yml:1:10: "servers" must be a map, found a list`}},
		{"no servers", "servers: []\n", nil},
		{"no YAML", "a: [", []string{"sub/s.yml:1:1: is not valid YAML: did not find expected node content"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, errs := NewLoader(fstest.MapFS{"sub/s.yml": {Data: []byte(test.yaml)}}).Servers("sub/s.yml")
			var got []string
			for _, err := range errs {
				got = append(got, err.Error())
			}
			if s != nil {
				for _, one := range s.Servers {
					file := ""
					if one.Snapshot != nil {
						file = one.Snapshot.File
					}
					got = append(got, fmt.Sprintf("%s %q", one.Name, file))
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s(-want +got):\n%s", test.yaml, diff)
			}
		})
	}
}
