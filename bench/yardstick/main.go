// Command yardstick does the least that scoring recorded runs takes: it decodes their calls with encoding/json and counts
// the selection F1. docs/performance.md measures mcp-gates against it.
//
//	yardstick CLASS[,CLASS…] FILE…
//
// A class is the name of a tool. Each file is a cassette with runs, or JSON Lines with one run a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type run struct {
	ToolCalls []struct {
		Name   string `json:"name"`
		Server string `json:"server"`
		Args   any    `json:"args"`
	} `json:"tool_calls"`
}

type counts struct{ tp, fp, fn int }

func main() {
	classes := strings.Split(os.Args[1], ",")
	var c counts
	for _, name := range os.Args[2:] {
		if err := c.file(name, classes); err != nil {
			fmt.Fprintln(os.Stderr, name, err)
			os.Exit(1)
		}
	}
	fmt.Println("F1", 200*c.tp/max(1, 2*c.tp+c.fp+c.fn))
}

func (c *counts) file(name string, classes []string) error {
	if strings.HasSuffix(name, ".jsonl") {
		return c.lines(name, classes)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var cassette struct{ Runs []run }
	if err := json.Unmarshal(data, &cassette); err != nil {
		return err
	}
	for _, r := range cassette.Runs {
		c.add(r, classes)
	}
	return nil
}

func (c *counts) lines(name string, classes []string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	in.Buffer(make([]byte, 1<<20), 1<<28)
	for in.Scan() {
		var r run
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return err
		}
		c.add(r, classes)
	}
	return in.Err()
}

func (c *counts) add(r run, classes []string) {
	matched := make(map[string]bool, len(classes))
	for _, class := range classes {
		matched[class] = false
	}
	for _, call := range r.ToolCalls {
		switch done, known := matched[call.Name]; {
		case !known:
			c.fp++
		case !done:
			matched[call.Name] = true
			c.tp++
		}
	}
	for _, done := range matched {
		if !done {
			c.fn++
		}
	}
}
