// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
)

// declaration is the content of the file.
type declaration struct {
	Name        string                 `json:"name"`
	Config      *schemaDeclaration     `json:"config"`
	Resources   []*resourceDeclaration `json:"resources"`
	DataSources []*dataDeclaration     `json:"dataSources"`
}

// schemaDeclaration is a schema, or the body of a block or of a nested attribute.
type schemaDeclaration struct {
	Attributes map[string]*attributeDeclaration `json:"attributes"`
	Blocks     map[string]*blockDeclaration     `json:"blocks"`
	Rules      []*ruleDeclaration               `json:"rules"`
	Deprecated string                           `json:"deprecated"`
}

type dataDeclaration struct {
	Name string `json:"name"`
	schemaDeclaration
}

type resourceDeclaration struct {
	Name string `json:"name"`
	schemaDeclaration
	Version int64 `json:"version"`
	// Identity has the identity's attributes by name: the kind, and whether it is optional for import. The resource has attributes of the same names.
	Identity        map[string]*identityDeclaration `json:"identity"`
	MutableIdentity bool                            `json:"mutableIdentity"`
	// Earlier has the attributes of each earlier schema version, by version.
	Earlier []map[string]*attributeDeclaration `json:"earlier"`
	// ImportedBy is the attribute to which an import assigns the id; when empty, the import returns a complete generated state.
	ImportedBy string `json:"importedBy"`
	// Plans is whether the resource has a plan modifier of its own.
	Plans bool `json:"plans"`
	// Validates is whether the resource has a validation of its own.
	Validates bool `json:"validates"`
}

type identityDeclaration struct {
	Kind     string `json:"kind"`
	Optional bool   `json:"optional"`
}

// typeDeclaration is a type: its kind is string, caseless, bool, int32, int64, float32, float64, number, dynamic, list, set,
// map or object. The kind of an attribute can also be nested.
type typeDeclaration struct {
	Kind       string                      `json:"kind"`
	Element    *typeDeclaration            `json:"element"`
	Members    map[string]*typeDeclaration `json:"members"`
	Validators []*validatorDeclaration     `json:"validators"`
}

type attributeDeclaration struct {
	typeDeclaration
	// Mode is required, optional, computed, optionalComputed, default, writeOnlyRequired or writeOnlyOptional.
	Mode       string          `json:"mode"`
	Sensitive  bool            `json:"sensitive"`
	Deprecated string          `json:"deprecated"`
	Default    json.RawMessage `json:"default"`
	Modifiers  []string        `json:"modifiers"`
	// Nesting (single, list, set or map) and Body are set if the kind is nested.
	Nesting string             `json:"nesting"`
	Body    *schemaDeclaration `json:"body"`
}

type blockDeclaration struct {
	// Nesting is single, list or set.
	Nesting    string                  `json:"nesting"`
	Body       *schemaDeclaration      `json:"body"`
	Deprecated string                  `json:"deprecated"`
	Validators []*validatorDeclaration `json:"validators"`
	Modifiers  []string                `json:"modifiers"`
	Required   bool                    `json:"required"`
}

// validatorDeclaration is a validator; the rule determines the meaning of the other fields.
type validatorDeclaration struct {
	Rule    string                  `json:"rule"`
	Min     *int64                  `json:"min"`
	Max     *int64                  `json:"max"`
	Values  []json.RawMessage       `json:"values"`
	Pattern string                  `json:"pattern"`
	Among   []*validatorDeclaration `json:"among"`
}

type ruleDeclaration struct {
	Rule  string   `json:"rule"`
	Names []string `json:"names"`
}

func readDeclaration(path string) (*declaration, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	// A field that this program does not know would cause an unintended difference between the two providers.
	decoder.DisallowUnknownFields()
	declared := &declaration{}
	return declared, decoder.Decode(declared)
}

func (a *attributeDeclaration) required() bool {
	return a.Mode == "required" || a.Mode == "writeOnlyRequired"
}

func (a *attributeDeclaration) optional() bool {
	return slices.Contains([]string{"optional", "optionalComputed", "default", "writeOnlyOptional"}, a.Mode)
}

func (a *attributeDeclaration) computed() bool {
	return slices.Contains([]string{"computed", "optionalComputed", "default"}, a.Mode)
}

func (a *attributeDeclaration) writeOnly() bool {
	return a.Mode == "writeOnlyRequired" || a.Mode == "writeOnlyOptional"
}
