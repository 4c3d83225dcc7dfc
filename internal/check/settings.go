package check

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/org/mcp-gates/internal/report"
	"github.com/org/mcp-gates/internal/source"
	"github.com/org/mcp-gates/internal/suite"
	"github.com/org/mcp-gates/internal/trace"
)

func settingsOf(c selectedCase) []report.Setting {
	list := make([]report.Setting, len(c.Case.Settings))
	for i, s := range c.Case.Settings {
		list[i] = report.Setting(s)
		if s.File == c.Suite.File {
			list[i].File = ""
		}
	}
	return list
}

func suiteSettings(suites []*suite.Suite) (list []report.SuiteSetting) {
	for _, s := range suites {
		for _, one := range s.Settings {
			list = append(list, report.SuiteSetting{Suite: s.File, Key: one.Key, Value: one.Value, Line: one.Line})
		}
	}
	return list
}

// recordings returns the report's account of cassettes that were read. tr is their trace; nil if they have mistakes.
func (c *checker) recordings(files []string, tr *trace.Trace) []report.Recording {
	list := make([]report.Recording, len(files))
	for i, file := range files {
		list[i] = report.Recording{Path: file}
		if c.options.Digests {
			list[i].SHA256 = c.hashFile(file)
		}
		if tr != nil {
			from := tr.Sources[i]
			list[i].Runs, list[i].Recorder = from.Runs, report.Optional(from.Recorder)
			list[i].Hashed, list[i].Keeps = from.Hashed, from.Keeps
		}
	}
	return list
}

// hashFile returns the hash of a cassette's bytes; "" if it cannot be read. The reason is reported elsewhere.
func (c *checker) hashFile(name string) report.Optional {
	file, err := source.Open(c.fsys, name, source.MaxCassette)
	if err != nil {
		return ""
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, io.LimitReader(file, source.MaxCassette)); err != nil {
		return ""
	}
	return report.Optional(hex.EncodeToString(hash.Sum(nil)))
}
