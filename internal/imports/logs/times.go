package logs

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Instant is a time in a log, in nanoseconds since 1970: a text in ISO 8601, or nanoseconds as a number or a text. Anything
// else is 0.
type Instant int64

// zoneless are the layouts of times without a zone, which are taken as UTC.
var zoneless = []string{"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"}

// UnmarshalJSON reads the time.
func (i *Instant) UnmarshalJSON(raw []byte) error {
	*i = 0
	text := strings.Trim(string(raw), `"`)
	if nanos, err := strconv.ParseInt(text, 10, 64); err == nil {
		*i = Instant(max(nanos, 0))
		return nil
	}
	if jsontext.Value(raw).Kind() == '"' {
		*i = parseInstant(text)
	}
	return nil
}

func parseInstant(text string) Instant {
	const longest = 40
	if len(text) > longest {
		return 0
	}
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return Instant(max(at.UnixNano(), 0))
	}
	for _, layout := range zoneless {
		if at, err := time.Parse(layout, text); err == nil {
			return Instant(max(at.UnixNano(), 0))
		}
	}
	return 0
}

// TimeOf converts a time to RFC 3339, from seconds since 1970, as model APIs write them, or from a text in ISO 8601. It returns
// "" for anything else.
func TimeOf(text string) string {
	at := parseInstant(text)
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e10 {
		at = Instant(int64(seconds) * int64(time.Second))
	}
	if at == 0 {
		return ""
	}
	return time.Unix(0, int64(at)).UTC().Format(time.RFC3339)
}
