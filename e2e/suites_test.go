package e2e

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/org/mcp-gates/e2e/repo"
)

// object is JSON to be.
type object = map[string]any

// lines returns JSON as people commit it: on lines of its own.
func lines(v any) string {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}

// cassette returns a recording of runs, each a list of the tools that were called.
func cassette(runs ...[]string) string {
	list := []any{}
	for _, tools := range runs {
		calls := []any{}
		for _, tool := range tools {
			server, name, _ := strings.Cut(tool, ".")
			calls = append(calls, object{"server": server, "name": name, "args": object{"city": "Sacramento"}, "result": "ok"})
		}
		list = append(list, object{"tool_calls": calls, "conversation": object{"tokens": object{"total": 1500}}})
	}
	return lines(object{"cassette": 1, "recorder": "mcp-gates 0.1.0", "runs": list})
}

// picks returns ten runs, of which so many pick the right tool.
func picks(right int) string {
	var runs [][]string
	for i := range 10 {
		if i < right {
			runs = append(runs, []string{"weather.get_weather"})
		} else {
			runs = append(runs, []string{"weather.list_alerts"})
		}
	}
	return cassette(runs...)
}

// tool returns what a server says of one, with nothing to find fault with.
func tool(name, description string) object {
	return object{
		"name": name, "description": description,
		"inputSchema": object{
			"type": "object", "additionalProperties": false, "required": []string{"city"},
			"properties": object{"city": object{
				"type": "string", "description": "Name of the city, in English", "maxLength": 80, "examples": []string{"Sacramento"},
			}},
		},
		"annotations": object{"readOnlyHint": true, "title": "Weather"},
	}
}

func catalog(tools ...object) string { return lines(object{"tools": tools}) }

var (
	getWeather = tool("get_weather", "Read the present weather of one city. Returns temperature in Celsius, wind in km/h and a word for the sky.")
	listAlerts = tool("list_alerts", "List the weather warnings that are in force for one city. Returns a list of texts, newest first.")
)

const weatherSuite = `# The weather agent.
servers:
  weather:
    catalog: catalogs/weather.json
defaults:
  model: claude-sonnet-4-5
  server: weather
agents:
  - name: weather selection
    prompt: Do I need an umbrella in Sacramento today?
    runs: 10
    cassette: cassettes/selection.json
    tool_selection:
      expected_tool: weather.get_weather
      min_selection_rate: 0.8
  - name: storm warning
    prompt: Is it going to storm in Sacramento? Say what is in force.
    cassette: cassettes/storm.json
    equal_function_sets:
      classes:
        - name: look
          members: [weather.get_weather]
        - name: warn
          members: [weather.list_alerts]
      expect:
        - tool_selection.f1: { ">=": 80 }
`

// weather is a suite whose cases all pass.
func weather() repo.Files {
	return repo.Files{
		"README.md":                "# Weather\n",
		"mcp-gates.yml":            weatherSuite,
		"catalogs/weather.json":    catalog(getWeather, listAlerts),
		"cassettes/selection.json": picks(10),
		"cassettes/storm.json":     cassette([]string{"weather.get_weather", "weather.list_alerts"}),
	}
}

// worse are the files after a change for the worse: the first case fails, and the second one misses a class.
func worse() repo.Files {
	return weather().With(repo.Files{
		"cassettes/selection.json": picks(6),
		"cassettes/storm.json":     cassette([]string{"weather.get_weather", "weather.delete_all"}),
	})
}

// many returns a suite of so many cases, of which every tenth fails.
func many(cases int) repo.Files {
	files := repo.Files{}
	var suite strings.Builder
	suite.WriteString("agents:\n")
	for i := range cases {
		name := fmt.Sprintf("case %d", i)
		fmt.Fprintf(&suite, "  - name: %s\n    cassette: cassettes/%d.json\n    tool_selection: { expected_tool: weather.get_weather, min_selection_rate: 0.5 }\n", name, i)
		right := "weather.get_weather"
		if i%10 == 0 {
			right = "weather.list_alerts"
		}
		// No two recordings are the same, as in life.
		files[fmt.Sprintf("cassettes/%d.json", i)] = strings.Replace(cassette([]string{right}), "1500", fmt.Sprint(1500+i), 1)
	}
	files["mcp-gates.yml"] = suite.String()
	return files
}
