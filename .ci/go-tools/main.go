// Command go-tools writes one strict JSON schema per Kubernetes kind, in the layout kubeconform reads:
// <folder>/<kind>-<group>-<version>.json. The definitions come from openapi-gen, which .ci/go-tools.sh runs
// over the Go types of the Kubernetes API just before it builds this command. Further arguments are folders of custom
// resource definitions, whose kinds are written as well.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"tollgate.dev/ci/go-tools/definitions"
)

const refPrefix = "#/definitions/"

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("usage: go-tools <folder> [<folder of custom resource definitions>...]"))
	}
	schemas, err := strictSchemas()
	if err != nil {
		fail(err)
	}
	written := 0
	for kind, gvk := range objectKinds() {
		if err := writeSchema(os.Args[1], kind, gvk, schemas); err != nil {
			fail(err)
		}
		written++
	}
	for _, definitions := range os.Args[2:] {
		count, err := writeCustomResources(os.Args[1], definitions)
		if err != nil {
			fail(err)
		}
		written += count
	}
	fmt.Printf("%d kinds\n", written)
}

type groupVersionKind struct{ group, version, kind string }

// objectKinds maps the definition name of every kind that a manifest can hold to its group, version and kind.
func objectKinds() map[string]groupVersionKind {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme,
		corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			fail(err)
		}
	}
	kinds := map[string]groupVersionKind{}
	for gvk := range scheme.AllKnownTypes() {
		object, err := scheme.New(gvk)
		if err != nil {
			fail(err)
		}
		if _, ok := object.(metav1.Object); !ok {
			continue
		}
		if named, ok := object.(interface{ OpenAPIModelName() string }); ok {
			kinds[named.OpenAPIModelName()] = groupVersionKind{gvk.Group, gvk.Version, gvk.Kind}
		}
	}
	return kinds
}

// strictSchemas returns every definition as plain JSON in which an object refuses fields it does not name.
func strictSchemas() (map[string]map[string]any, error) {
	schemas := map[string]map[string]any{}
	ref := func(name string) spec.Ref { return spec.MustCreateRef(refPrefix + name) }
	for name, definition := range definitions.GetOpenAPIDefinitions(ref) {
		raw, err := json.Marshal(definition.Schema)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var schema map[string]any
		if err := json.Unmarshal(raw, &schema); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if _, hasProperties := schema["properties"]; hasProperties {
			schema["additionalProperties"] = false
		}
		schemas[name] = schema
	}
	return schemas, nil
}

func writeSchema(folder, name string, gvk groupVersionKind, schemas map[string]map[string]any) error {
	if _, ok := schemas[name]; !ok {
		return fmt.Errorf("no definition of %s", name)
	}
	used := map[string]any{}
	if err := collect(name, schemas, used); err != nil {
		return err
	}
	apiVersion := gvk.version
	file := strings.ToLower(gvk.kind) + "-" + gvk.version + ".json"
	if gvk.group != "" {
		apiVersion = gvk.group + "/" + gvk.version
		file = strings.ToLower(gvk.kind) + "-" + strings.Split(gvk.group, ".")[0] + "-" + gvk.version + ".json"
	}
	document := map[string]any{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"definitions": used,
		"required":    []string{"apiVersion", "kind", "metadata"},
		"allOf": []any{
			map[string]any{"$ref": refPrefix + name},
			map[string]any{"properties": map[string]any{
				"apiVersion": map[string]any{"const": apiVersion},
				"kind":       map[string]any{"const": gvk.kind},
			}},
		},
	}
	raw, err := json.Marshal(document)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, file), raw, 0o644)
}

// collect adds the named definition and everything it refers to.
func collect(name string, schemas map[string]map[string]any, used map[string]any) error {
	if _, done := used[name]; done {
		return nil
	}
	schema, ok := schemas[name]
	if !ok {
		return fmt.Errorf("no definition of %s", name)
	}
	used[name] = schema
	return collectRefs(schema, schemas, used)
}

func collectRefs(node any, schemas map[string]map[string]any, used map[string]any) error {
	switch value := node.(type) {
	case map[string]any:
		for key, child := range value {
			if target, ok := child.(string); ok && key == "$ref" {
				if err := collect(strings.TrimPrefix(target, refPrefix), schemas, used); err != nil {
					return err
				}
			} else if err := collectRefs(child, schemas, used); err != nil {
				return err
			}
		}
	case []any:
		for _, child := range value {
			if err := collectRefs(child, schemas, used); err != nil {
				return err
			}
		}
	}
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "go-tools:", err)
	os.Exit(1)
}
