package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// customResource is the part of a custom resource definition that says what its objects look like.
type customResource struct {
	Kind string
	Spec struct {
		Group string
		Names struct{ Kind string }
		// Every version has a schema of its own.
		Versions []struct {
			Name   string
			Schema struct {
				OpenAPIV3Schema map[string]any `json:"openAPIV3Schema"`
			}
		}
	}
}

// writeCustomResources writes one strict JSON schema per version of every definition in the files of a folder.
func writeCustomResources(folder, definitions string) (int, error) {
	files, err := filepath.Glob(filepath.Join(definitions, "*.yaml"))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("no definitions in %s: %w", definitions, err)
	}
	written := 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		var resource customResource
		if err := yaml.Unmarshal(raw, &resource); err != nil {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
		if resource.Kind != "CustomResourceDefinition" {
			continue
		}
		for _, version := range resource.Spec.Versions {
			schema := version.Schema.OpenAPIV3Schema
			makeStrict(schema)
			schema["required"] = []string{"apiVersion", "kind", "metadata", "spec"}
			properties := schema["properties"].(map[string]any)
			properties["apiVersion"] = map[string]any{"const": resource.Spec.Group + "/" + version.Name}
			properties["kind"] = map[string]any{"const": resource.Spec.Names.Kind}
			document, err := json.Marshal(schema)
			if err != nil {
				return 0, err
			}
			group := strings.Split(resource.Spec.Group, ".")[0]
			name := strings.ToLower(resource.Spec.Names.Kind) + "-" + group + "-" + version.Name + ".json"
			if err := os.WriteFile(filepath.Join(folder, name), document, 0o644); err != nil {
				return 0, err
			}
			written++
		}
	}
	return written, nil
}

// makeStrict turns a structural schema into plain JSON schema in which an object refuses fields it does not name.
func makeStrict(node any) {
	switch value := node.(type) {
	case map[string]any:
		if value["x-kubernetes-int-or-string"] == true {
			delete(value, "type")
			value["anyOf"] = []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}
		}
		_, hasProperties := value["properties"].(map[string]any)
		_, hasOthers := value["additionalProperties"]
		if hasProperties && !hasOthers && value["type"] == "object" && value["x-kubernetes-preserve-unknown-fields"] != true {
			value["additionalProperties"] = false
		}
		for _, child := range value {
			makeStrict(child)
		}
	case []any:
		for _, child := range value {
			makeStrict(child)
		}
	}
}
