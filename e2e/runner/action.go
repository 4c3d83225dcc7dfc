package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"gopkg.in/yaml.v3"
)

// Action is the content of action.yml, as far as the runner needs it.
type Action struct {
	Inputs  map[string]Input  `yaml:"inputs"`
	Outputs map[string]Output `yaml:"outputs"`
	Runs    struct {
		Using string `yaml:"using"`
		Image string `yaml:"image"`
	} `yaml:"runs"`
}

// Input is an input of an action.
type Input struct {
	Default string `yaml:"default"`
}

// Output is an output of an action.
type Output struct {
	Description string `yaml:"description"`
}

// ReadAction reads an action.yml.
func ReadAction(name string) (*Action, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var a Action
	if err := yaml.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &a, nil
}

// environment returns the inputs as a container gets them: each input that the action declares, with its given value, otherwise
// with its default. Spaces in names become underscores; hyphens stay.
func (a *Action) environment(given map[string]string, token string, matrix any) ([]string, error) {
	var env []string
	for name := range given {
		if _, ok := a.Inputs[name]; !ok {
			return nil, fmt.Errorf("the action has no input %q", name)
		}
	}
	for name, input := range a.Inputs {
		value, ok := given[name]
		if !ok {
			var err error
			if value, err = evaluate(input.Default, token, matrix); err != nil {
				return nil, fmt.Errorf("default of input %q: %w", name, err)
			}
		}
		env = append(env, "INPUT_"+strings.ToUpper(strings.ReplaceAll(name, " ", "_"))+"="+value)
	}
	return env, nil
}

// evaluate returns the value of a default. It knows only the two expressions that the action's defaults have.
func evaluate(value, token string, matrix any) (string, error) {
	switch value {
	case "${{ github.token }}":
		return token, nil
	case "${{ toJSON(matrix) }}":
		text, err := json.MarshalIndent(matrix, "", "  ")
		return string(text), err
	}
	if strings.Contains(value, "${{") {
		return "", fmt.Errorf("unknown expression %q", value)
	}
	return value, nil
}
