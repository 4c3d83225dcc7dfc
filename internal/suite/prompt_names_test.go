package suite

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

func TestNamesIn(t *testing.T) {
	tests := []struct {
		name   string
		prompt string
		names  []string
		want   []string
	}{
		{"named", "Use get_weather for Paris.", []string{"get_weather"}, []string{"get_weather"}},
		{"any case", "use GET_Weather now", []string{"get_weather"}, []string{"get_weather"}},
		{"at the ends", "web_search", []string{"web_search"}, []string{"web_search"}},
		{"in quotes, before a full stop", "Call `webSearch`.", []string{"webSearch"}, []string{"webSearch"}},
		{"part of a longer name", "get_weather_v2 or xget_weather or get_weather1", []string{"get_weather"}, nil},
		{"whole word after a part", "get_weather_v2, then get_weather", []string{"get_weather"}, []string{"get_weather"}},
		{"plain words", "Search and Fetch the WEATHER", []string{"search", "fetch", "Weather", "WEATHER"}, nil},
		{"inner capital", "ask GitHub", []string{"GitHub"}, []string{"GitHub"}},
		{"digits make a name", "read s3bucket", []string{"s3bucket"}, []string{"s3bucket"}},
		{"a dot and a dash", "with brave.web-search!", []string{"brave.web-search", "web-search"}, []string{"brave.web-search", "web-search"}},
		{"short", "the a_b and a_bc", []string{"a_b", "a_bc"}, []string{"a_bc"}},
		{"empty", "", []string{"", "get_weather"}, nil},
		{"two words", "ask the My Server please", []string{"My Server"}, []string{"My Server"}},
		{"given twice", "x_tool", []string{"x_tool", "x_tool"}, []string{"x_tool"}},
		{"in the order given", "b_tool then a_tool", []string{"a_tool", "b_tool"}, []string{"a_tool", "b_tool"}},
		{"other scripts", "Rufe größe_ändern auf", []string{"GRÖSSE_ÄNDERN"}, []string{"GRÖSSE_ÄNDERN"}},
		{"a ligature", "ﬁle_search", []string{"file_search"}, []string{"file_search"}},
		{"decomposed", "nimm a\u0308ndere_x", []string{"\u00e4ndere_x"}, []string{"\u00e4ndere_x"}},
		{"a mark belongs to the word", "get_weathe\u0308", []string{"get_weath"}, nil},
		{"a word in another script", "погода сегодня", []string{"погода"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, namesIn(test.prompt, test.names)); diff != "" {
				t.Errorf("namesIn(%q, %q) (-want +got):\n%s", test.prompt, test.names, diff)
			}
		})
	}
}

func FuzzNamesIn(f *testing.F) {
	f.Add("use get_weather", "get_weather")
	f.Add("\xff\xfe__aa", "\xff_aa")
	f.Add("aaaa_aaaa_aaaa", "aaaa_aaaa")
	f.Fuzz(func(t *testing.T, prompt, name string) {
		found := namesIn(prompt, []string{name})
		if len(found) > 0 && !strings.Contains(fold(prompt), fold(name)) {
			t.Errorf("namesIn(%q, %q) found a name that is not there", prompt, name)
		}
		if alone := namesIn(" "+name+" ", []string{name}); isTelling(name) && strings.TrimSpace(name) == name && len(alone) == 0 && !startsWithMark(name) {
			t.Errorf("namesIn does not find %q by itself", name)
		}
	})
}

// startsWithMark reports whether composition can join the name with what stands before it.
func startsWithMark(name string) bool {
	return fold(" "+name) != " "+fold(name) || fold(name+" ") != fold(name)+" "
}

// Characters that have the same folding by Unicode are folded to the same, and no others, but for Greek letters and a few
// more whose folding has several characters, and for the Cherokee syllables, which package cases leaves as they are.
func TestFold(t *testing.T) {
	yardstick := cases.Fold()
	for r := range rune(0x1ffff) {
		if !unicode.IsLetter(r) || unicode.Is(unicode.Cherokee, r) {
			continue
		}
		char := norm.NFC.String(string(r))
		want, got := yardstick.String(char), fold(char)
		if yardstick.String(got) != want {
			t.Errorf("fold(%q) = %q, whose folding is %q, want %q", char, got, yardstick.String(got), want)
		}
		if utf8.RuneCountInString(want) == 1 && fold(want) != got {
			t.Errorf("fold(%q) = %q, and that of its folding %q is %q", char, got, want, fold(want))
		}
	}
}
