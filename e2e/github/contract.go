package github

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// Names of descriptions that GitHub publishes.
const (
	DotCom     = "api.github.com"
	Enterprise = "ghes-3.19"
)

// ErrNoContract means that the published descriptions are not installed.
var ErrNoContract = errors.New("GitHub's OpenAPI description is not installed: run e2e/setup, which needs npm")

// Contract is GitHub's published description of its API, reduced to the operations that the stand-in has.
type Contract struct{ spec *openapi3.T }

// LoadContract reads a description from the folder in which e2e/setup installs the descriptions.
func LoadContract(folder, name string) (*Contract, error) {
	data, err := os.ReadFile(filepath.Join(folder, "node_modules/@octokit/openapi/generated", name+".json"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNoContract
	}
	if err != nil {
		return nil, err
	}
	small, err := prune(data)
	if err != nil {
		return nil, fmt.Errorf("read the description %s: %w", name, err)
	}
	spec, err := openapi3.NewLoader().LoadFromData(small)
	if err != nil {
		return nil, fmt.Errorf("read the description %s: %w", name, err)
	}
	return &Contract{spec}, nil
}

// description is a whole description, whose operations and components are not decoded.
type description struct {
	OpenAPI    string                                `json:"openapi"`
	Info       json.RawMessage                       `json:"info"`
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components map[string]map[string]json.RawMessage `json:"components"`
}

// prune returns a description with only the operations of the stand-in and the components that they refer to. Answers are left out.
func prune(data []byte) ([]byte, error) {
	var whole description
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, err
	}
	paths, components := map[string]any{}, map[string]map[string]any{}
	for _, op := range operations {
		operation, err := requestOf(whole.Paths[op.path][strings.ToLower(op.method)])
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", op.method, op.path, err)
		}
		if paths[op.path] == nil {
			paths[op.path] = map[string]any{}
		}
		paths[op.path].(map[string]any)[strings.ToLower(op.method)] = operation
		if err := gather(operation, whole, components); err != nil {
			return nil, fmt.Errorf("%s %s: %w", op.method, op.path, err)
		}
	}
	return json.Marshal(map[string]any{"openapi": whole.OpenAPI, "info": whole.Info, "paths": paths, "components": components})
}

// requestOf returns an operation without its answers and examples.
func requestOf(raw json.RawMessage) (map[string]any, error) {
	if raw == nil {
		return nil, errors.New("there is no such operation")
	}
	var operation map[string]any
	if err := json.Unmarshal(raw, &operation); err != nil {
		return nil, err
	}
	operation["responses"] = map[string]any{"default": map[string]any{"description": "any"}}
	withoutExamples(operation)
	return operation, nil
}

func withoutExamples(value any) {
	switch value := value.(type) {
	case map[string]any:
		if _, schema := value["schema"]; schema {
			delete(value, "examples")
		}
		for _, part := range value {
			withoutExamples(part)
		}
	case []any:
		for _, part := range value {
			withoutExamples(part)
		}
	}
}

// gather adds to components all components that value refers to, directly or through other components.
func gather(value any, whole description, components map[string]map[string]any) error {
	switch value := value.(type) {
	case map[string]any:
		if ref, ok := value["$ref"].(string); ok {
			return gatherRef(ref, whole, components)
		}
		for _, part := range value {
			if err := gather(part, whole, components); err != nil {
				return err
			}
		}
	case []any:
		for _, part := range value {
			if err := gather(part, whole, components); err != nil {
				return err
			}
		}
	}
	return nil
}

func gatherRef(ref string, whole description, components map[string]map[string]any) error {
	kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
	if components[kind][name] != nil {
		return nil
	}
	var component map[string]any
	if err := json.Unmarshal(whole.Components[kind][name], &component); err != nil {
		return fmt.Errorf("%s: %w", ref, err)
	}
	withoutExamples(component)
	if components[kind] == nil {
		components[kind] = map[string]any{}
	}
	components[kind][name] = component
	return gather(component, whole, components)
}

// Validate returns an error if a request does not fit the description of an operation. It refuses parameters and properties that
// are not in the description, although GitHub ignores them.
func (c *Contract) Validate(op operation, r *http.Request, params map[string]string, body []byte) error {
	item := c.spec.Paths.Value(op.path)
	described := item.GetOperation(op.method)
	copied := r.Clone(r.Context())
	copied.Body = http.NoBody
	if len(body) > 0 {
		copied.Body = io.NopCloser(bytes.NewReader(body))
	}
	err := openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{
		Request: copied, PathParams: params,
		Route: &routers.Route{Spec: c.spec, Path: op.path, PathItem: item, Method: op.method, Operation: described},
		Options: &openapi3filter.Options{
			MultiError: true, SkipSettingDefaults: true, RejectWhenRequestBodyNotSpecified: true,
		},
	})
	return errors.Join(err, unknownParameters(described, r), unknownProperties(described, body))
}

func unknownParameters(op *openapi3.Operation, r *http.Request) error {
	var errs []error
	for name := range r.URL.Query() {
		if op.Parameters.GetByInAndName("query", name) == nil {
			errs = append(errs, fmt.Errorf("there is no parameter %q", name))
		}
	}
	return errors.Join(errs...)
}

func unknownProperties(op *openapi3.Operation, body []byte) error {
	if len(body) == 0 || op.RequestBody == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	return unknownIn(op.RequestBody.Value.Content.Get("application/json").Schema.Value, value, "body")
}

func unknownIn(schema *openapi3.Schema, value any, at string) error {
	var errs []error
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			property := schema.Properties[name]
			if property == nil {
				errs = append(errs, fmt.Errorf("%s has no property %q", at, name))
				continue
			}
			errs = append(errs, unknownIn(property.Value, part, at+"."+name))
		}
	case []any:
		if schema.Items == nil {
			break
		}
		for _, part := range value {
			errs = append(errs, unknownIn(schema.Items.Value, part, at+"[]"))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return errors.Join(errs...)
}
