// SPDX-License-Identifier: Apache-2.0

package main

// The notation of HCL, in addition to cty-oracle's notation of values.
//
//	source       a JSON string, or {"hex":"…"} for bytes that are not UTF-8
//	syntax       "native", "template" (a bare template), or "json"
//	range        [[line,column,byte],[line,column,byte]]; the file is always main.hcl, or main1.hcl, main2.hcl, … if there are several
//	diagnostic   {"severity","summary","detail"}, and if present "subject", "context", "expression" (a range), "call" (the called
//	             function), "callError", "namespace"
//	node         {"kind":…,"range":…} and the node's parts: the names are those of @tenon/hcl
//	traversal    an array of steps {"kind":"root","name",…}, {"kind":"attribute",…}, {"kind":"index","key":value,…}, {"kind":"splat"}
//	scope        null, or an array of frames, the outermost first: {"variables":[[name,value]],"functions":true|[name]}; a frame without
//	             one of the keys has no such table, which differs from an empty table
//	schema       {"attributes":[{"name","required"}],"blocks":[{"type","labels":[name]}]}
//	spec         {"kind":…} with the parts that op_decode.go defines

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

const filename = "main.hcl"

var (
	aSource = parameter{"source", func(raw json.RawMessage) any { return readSource(tree(raw)) }}
	aSyntax = parameter{"syntax", func(raw json.RawMessage) any { return readSyntax(tree(raw)) }}
	aScope  = parameter{"scope", func(raw json.RawMessage) any { return readScope(tree(raw)) }}
	aSchema = parameter{"schema", func(raw json.RawMessage) any { return readSchema(tree(raw)) }}
	schemas = parameter{"[schema]", func(raw json.RawMessage) any {
		return each(raw, func(r json.RawMessage) *hcl.BodySchema { return readSchema(tree(r)) })
	}}
	anInt = parameter{"integer", func(raw json.RawMessage) any { return readInt(tree(raw)) }}
	aBool = parameter{"bool", func(raw json.RawMessage) any { return as[bool](tree(raw), "a bool") }}
)

func readSource(given any) []byte {
	if text, ok := given.(string); ok {
		return []byte(text)
	}
	return readHex(fields(given, []string{"hex"}, nil)["hex"])
}

func readSyntax(given any) string {
	syntax := as[string](given, "a syntax")
	if !slices.Contains([]string{"native", "template", "json"}, syntax) {
		refuse("unknown syntax %q", syntax)
	}
	return syntax
}

func readInt(given any) int {
	integer, err := as[json.Number](given, "an integer").Int64()
	if err != nil {
		refuse("%v is not an integer", given)
	}
	return int(integer)
}

func readScope(given any) *hcl.EvalContext {
	if given == nil {
		return nil
	}
	var scope *hcl.EvalContext
	for _, frame := range as[[]any](given, "an array of frames") {
		parts := fields(frame, nil, []string{"variables", "functions"})
		if scope == nil {
			scope = &hcl.EvalContext{}
		} else {
			scope = scope.NewChild()
		}
		if variables, ok := parts["variables"]; ok {
			scope.Variables = readNamed(variables)
		}
		if names, ok := parts["functions"]; ok {
			scope.Functions = readFunctions(names)
		}
	}
	if scope == nil {
		refuse("a scope without frames: write null")
	}
	return scope
}

func readFunctions(given any) map[string]function.Function {
	if given == true {
		return languageFunctions
	}
	chosen := map[string]function.Function{}
	for _, one := range as[[]any](given, "true or an array of names") {
		name := as[string](one, "a function's name")
		known, ok := languageFunctions[name]
		if !ok {
			refuse("unknown function %q", name)
		}
		chosen[name] = known
	}
	return chosen
}

func readSchema(given any) *hcl.BodySchema {
	parts := fields(given, nil, []string{"attributes", "blocks"})
	schema := &hcl.BodySchema{}
	if all, ok := parts["attributes"]; ok {
		for _, one := range as[[]any](all, "an array of attributes") {
			attribute := fields(one, []string{"name"}, []string{"required"})
			schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{
				Name: as[string](attribute["name"], "a name"), Required: attribute["required"] == true,
			})
		}
	}
	if all, ok := parts["blocks"]; ok {
		for _, one := range as[[]any](all, "an array of blocks") {
			block := fields(one, []string{"type"}, []string{"labels"})
			schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{
				Type: as[string](block["type"], "a type"), LabelNames: readStrings(block["labels"]),
			})
		}
	}
	return schema
}

func readStrings(given any) []string {
	if given == nil {
		return nil
	}
	var all []string
	for _, one := range as[[]any](given, "an array of strings") {
		all = append(all, as[string](one, "a string"))
	}
	return all
}

// bodyOf parses a body. In the native syntax, an invalid source also gives a body.
func bodyOf(syntax string, source []byte, name string) (hcl.Body, hcl.Diagnostics) {
	var file *hcl.File
	var diagnostics hcl.Diagnostics
	switch syntax {
	case "json":
		file, diagnostics = hcljson.Parse(source, name)
	case "native":
		file, diagnostics = hclsyntax.ParseConfig(source, name, hcl.InitialPos)
	default:
		refuse("the syntax %q has no bodies", syntax)
	}
	return file.Body, diagnostics
}

func expressionOf(syntax string, source []byte) (hcl.Expression, hcl.Diagnostics) {
	switch syntax {
	case "json":
		return hcljson.ParseExpression(source, filename)
	case "template":
		return hclsyntax.ParseTemplate(source, filename, hcl.InitialPos)
	default:
		return hclsyntax.ParseExpression(source, filename, hcl.InitialPos)
	}
}

func positionNotation(at hcl.Pos) []any { return []any{at.Line, at.Column, at.Byte} }

func rangeNotation(at hcl.Range) any {
	if at.Filename != filename && at.Filename != "" {
		return []any{positionNotation(at.Start), positionNotation(at.End), at.Filename}
	}
	return []any{positionNotation(at.Start), positionNotation(at.End)}
}

func rangesNotation(all []hcl.Range) []any {
	written := []any{}
	for _, one := range all {
		written = append(written, rangeNotation(one))
	}
	return written
}

func diagnosticsNotation(all hcl.Diagnostics) []any {
	written := []any{}
	for _, one := range all {
		written = append(written, diagnosticNotation(one))
	}
	return written
}

func diagnosticNotation(one *hcl.Diagnostic) record {
	severity := "error"
	if one.Severity == hcl.DiagWarning {
		severity = "warning"
	}
	written := record{{"severity", severity}, {"summary", one.Summary}, {"detail", one.Detail}}
	if one.Subject != nil {
		written = append(written, field{"subject", rangeNotation(*one.Subject)})
	}
	if one.Context != nil {
		written = append(written, field{"context", rangeNotation(*one.Context)})
	}
	if one.Expression != nil {
		written = append(written, field{"expression", rangeNotation(one.Expression.Range())})
	}
	if extra, ok := one.Extra.(hclsyntax.FunctionCallDiagExtra); ok {
		written = append(written, field{"call", extra.CalledFunctionName()})
		if err := extra.FunctionCallError(); err != nil {
			written = append(written, field{"callError", err.Error()})
		}
	}
	if extra, ok := one.Extra.(hclsyntax.FunctionCallUnknownDiagExtra); ok {
		written = append(written, field{"call", extra.CalledFunctionName()}, field{"namespace", extra.CalledFunctionNamespace()})
	}
	return written
}

func traversalNotation(steps hcl.Traversal) any {
	if steps == nil {
		return nil
	}
	written := []any{}
	for _, one := range steps {
		at := field{"range", rangeNotation(one.SourceRange())}
		switch step := one.(type) {
		case hcl.TraverseRoot:
			written = append(written, record{{"kind", "root"}, {"name", step.Name}, at})
		case hcl.TraverseAttr:
			written = append(written, record{{"kind", "attribute"}, {"name", step.Name}, at})
		case hcl.TraverseIndex:
			written = append(written, record{{"kind", "index"}, {"key", step.Key}, at})
		case hcl.TraverseSplat:
			written = append(written, record{{"kind", "splat"}, at})
		default:
			panic(fmt.Sprintf("a step of type %T", one))
		}
	}
	return written
}

func traversalsNotation(all []hcl.Traversal) []any {
	written := []any{}
	for _, one := range all {
		written = append(written, traversalNotation(one))
	}
	return written
}

// valueOrNull writes a value, or null if the operation returned none.
func valueOrNull(value cty.Value) any {
	if value == cty.NilVal {
		return nil
	}
	return value
}
