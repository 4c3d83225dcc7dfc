package spans

import "testing"

// A number that OTLP writes as a text is JSON, however it is written there.
func TestUnquotedNumber(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`"7"`, `7`},
		{`"-7"`, `-7`},
		{`"+7"`, `7`},
		{`"007"`, `7`},
		{`"9223372036854775807"`, `9223372036854775807`},
		{`"9223372036854775808"`, `"9223372036854775808"`},
		{`"seven"`, `"seven"`},
		{`7.5`, `7.5`},
	} {
		raw := `{"arrayValue": {"values": [{"intValue": ` + test.raw + `}]}}`
		if got, want := string(untyped([]byte(raw), 0)), "["+test.want+"]"; got != want {
			t.Errorf("%s is read as %s, want %s", raw, got, want)
		}
	}
}
