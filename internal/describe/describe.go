// Package describe makes JSON Schemas (2020-12) of the files that the program reads and writes, for editors and other programs.
//
// The schema of a suite is made from the keys and targets of the gates and from tables of the other keys; tests hold the tables
// to what the readers ask for. The readers decide what is valid: a schema finds mistakes of shape (an unknown key, a wrong type, a
// word that is not in a list), and leaves other mistakes to the readers. The files in schemas/ are what [Write] writes.
//
// To add a key, give it a row in its table here; the tests name the table that lacks one.
package describe

import (
	"encoding/json"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// Format is a kind of files that has a schema.
type Format struct {
	Name string
	Doc  string // what the files are, in a few words
	make func() *jsonschema.Schema
}

// Formats are the kinds of files, in the order of the help.
var Formats = []Format{
	{"suite", "suite files", suite},
	{"report", "JSON reports", reports},
	{"cassette", "cassettes, and each line of a cassette in JSON Lines", cassette},
	{"catalog", "catalogs", catalog},
	{"bench", "description benchmarks", bench},
	{"history", "each line of a history", historyLine},
	{"manifest", "manifests of the mock server", manifest},
}

// Find returns the format with this name; ok is false if there is none.
func Find(name string) (f Format, ok bool) {
	for _, f := range Formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Names returns the names of all formats.
func Names() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// dialect is the version of JSON Schema.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// Write writes the schema of the format as JSON, with two-space indentation and a final newline. The same program writes the
// same bytes.
func (f Format) Write(w io.Writer) error {
	text, err := json.Marshal(f.make())
	if err != nil {
		return err
	}
	// The key $schema comes first, so that people see at once what the file is.
	text = append([]byte(`{"$schema": "`+dialect+`", `), text[1:]...)
	out := jsontext.Value(text)
	if err := out.Format(jsontext.WithIndent("  "), jsontext.PreserveRawStrings(false)); err != nil {
		return err
	}
	_, err = w.Write(append(out, '\n'))
	return err
}
