package text

import (
	"math"
	"testing"
)

func TestBar(t *testing.T) {
	for _, test := range []struct {
		accuracy, certified int
		want                string
	}{
		{0, 0, "[|                        ]"},
		{1, 0, "[|                        ]"},
		{3, 50, "[=           |            ]"},
		{99, 95, "[=======================| ]"},
		{100, 99, "[========================|]"},
		{50, 86, "[============         |   ]"},
		{math.MaxInt, math.MinInt, "[|========================]"},
		{-1, math.MaxInt, "[                        |]"},
	} {
		if got := bar(test.accuracy, test.certified); got != test.want {
			t.Errorf("bar(%d, %d): got %s, want %s", test.accuracy, test.certified, got, test.want)
		}
	}
}
