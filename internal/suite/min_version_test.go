package suite

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestMinVersion(t *testing.T) {
	for _, test := range []struct {
		asked, program, want string // a part of the mistake; "" for none
	}{
		{"0.2.0", "0.2.0", ""},
		{"0.2.0", "0.10.0", ""},
		{"0.2.0", "1.0.0", ""},
		{"0.2.0", "", ""},
		{"1.0.0", "1.0.0-dev+0123456789ab", ""},
		{"1.0.0", "1.0.0-dev", ""},
		{"1.0.1", "1.0.0-dev+0123456789ab", `"min_version" is 1.0.1, and this is mcp-gates 1.0.0-dev+0123456789ab; update it`},
		{"0.2.0", "test", ""},
		{"0.2.0", "0.1.9", `s.yml:1:14: "min_version" is 0.2.0, and this is mcp-gates 0.1.9; update it: "go install github.com/org/mcp-gates/cmd/mcp-gates@v0.2.0"`},
		{"0.10.0", "0.9.0", `"min_version" is 0.10.0, and this is mcp-gates 0.9.0`},
		{"1.0.0", "0.99.99", `"min_version" is 1.0.0`},
		{`"0.2"`, "0.1.0", `"min_version" must be three numbers with dots, such as "0.2.0", found "0.2"`},
		{"v0.2.0", "0.1.0", `must be three numbers`},
		{"00.2.0", "0.1.0", `must be three numbers`},
		{"0.2.99999999999", "0.1.0", `must be three numbers`},
		{"0.2", "0.1.0", `"min_version" must be`},
		{"[0]", "0.1.0", `"min_version" must be`},
	} {
		t.Run(test.asked+" for "+test.program, func(t *testing.T) {
			text := "min_version: " + test.asked + "\nagents: []\n"
			if test.want != "" && !strings.Contains(test.want, "must be") {
				text += "a_later_key: 1\n" // which is nothing to complain of, where a later version is asked for
			}
			loader := NewLoader(fstest.MapFS{"s.yml": {Data: []byte(text)}})
			loader.Version = test.program
			_, errs := loader.Load("s.yml")
			if test.want == "" {
				if len(errs) > 0 {
					t.Errorf("mistakes %v, want none", errs)
				}
				return
			}
			if len(errs) != 1 || !strings.Contains(errs.Error(), test.want) {
				t.Errorf("mistakes %v, want one with %q", errs, test.want)
			}
		})
	}
}
