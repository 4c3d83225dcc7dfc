package imports

import (
	"path/filepath"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

// TestLogs pins that the shortest logs of each format are read alike, whatever the format: as one call of get_weather with its
// arguments, as no call, and as no run that came to its end.
func TestLogs(t *testing.T) {
	for archive, check := range map[string]func(t *testing.T, runs []*Run){
		"called": func(t *testing.T, runs []*Run) {
			if len(runs) != 1 || len(runs[0].Calls) != 1 || runs[0].Error != "" {
				t.Fatalf("got %d runs, want one with one call", len(runs))
			}
			call := runs[0].Calls[0]
			if call.Tool.Name != "get_weather" || string(call.Arguments()) != `{"city":"Bern"}` {
				t.Errorf("got a call of %s with %s", call.Tool.ID(), call.Arguments())
			}
		},
		"silent": func(t *testing.T, runs []*Run) {
			if len(runs) != 1 || len(runs[0].Calls) > 0 || runs[0].Error != "" {
				t.Errorf("got %d runs, want one without a call", len(runs))
			}
		},
		"broken": func(t *testing.T, runs []*Run) {
			for _, run := range runs {
				if run.Error == "" {
					t.Errorf("a run that broke has no error: %+v", run)
				}
			}
		},
	} {
		files, err := txtar.ParseFile(filepath.Join("testdata", "logs", archive+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, log := range files.Files {
			t.Run(archive+"/"+log.Name, func(t *testing.T) { check(t, readLog(t, log)) })
		}
	}
}

// readLog returns the runs of a log whose format is recognised.
func readLog(t *testing.T, log txtar.File) (runs []*Run) {
	t.Helper()
	account, err := Read(fstest.MapFS{log.Name: {Data: log.Data}}, []string{log.Name}, Options{}, func(run *Run) error {
		runs = append(runs, run)
		return nil
	})
	if err != nil || len(account.Mistakes) > 0 {
		t.Fatalf("got error %v and mistakes %v", err, account.Mistakes)
	}
	return runs
}
