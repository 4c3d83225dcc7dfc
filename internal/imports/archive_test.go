package imports

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestArchive pins that a binary log is named with the command that turns it into JSON, whatever format is expected.
func TestArchive(t *testing.T) {
	files := fstest.MapFS{"log.eval": {Data: []byte("PK\x03\x04\x14\x00")}}
	for _, format := range []string{Auto, "inspect"} {
		account, err := Read(files, []string{"log.eval"}, Options{Format: format}, func(*Run) error { return nil })
		if err != nil || len(account.Mistakes) != 1 || !strings.Contains(account.Mistakes[0].Msg, "inspect log dump") {
			t.Errorf("%s: got error %v and mistakes %v, want one that names the command", format, err, account.Mistakes)
		}
	}
}
