package suite

import (
	"slices"
	"strconv"
	"strings"
)

// isNewEnough reads min_version: and reports whether the program is new enough for the suite. Otherwise the rest of the suite
// is not read, because it can contain anything.
func (r *reader) isNewEnough() bool {
	asked, given := r.root.OptStr("min_version")
	if !given {
		return true
	}
	least := versionOf(asked.Value)
	if least == nil {
		r.errs.Addf(asked.Pos, `"min_version" must be three numbers with dots, such as "0.2.0", found %q`, clip(asked.Value))
		return true
	}
	number, _, _ := strings.Cut(r.loader.Version, "-") // 1.0.0-dev+COMMIT precedes 1.0.0 and has its keys
	have := versionOf(number)
	if have == nil || slices.Compare(have, least) >= 0 {
		return true
	}
	r.errs.Addf(asked.Pos, `"min_version" is %s, and this is mcp-gates %s; update it: "go install github.com/org/mcp-gates/cmd/mcp-gates@v%s", `+
		`or the release that the workflow names after "uses:"`, asked.Value, r.loader.Version, asked.Value)
	return false
}

// versionOf returns the numbers of a release's version; nil for any other text.
func versionOf(text string) []uint64 {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return nil
	}
	numbers := make([]uint64, len(parts))
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || strconv.FormatUint(n, 10) != part {
			return nil
		}
		numbers[i] = n
	}
	return numbers
}
