// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

var aSpec = parameter{"spec", func(raw json.RawMessage) any { return readSpec(tree(raw)) }}

func init() {
	define("decode", decode(false), aSyntax, aSource, aSpec, aScope)
	define("decode.dynamic", decode(true), aSyntax, aSource, aSpec, aScope)
	// Returns the rest of the body as attributes.
	define("decode.partial", func(args []any) (any, error) {
		body, parsed := bodyOf(args[0].(string), args[1].([]byte), filename)
		scope := args[3].(*hcl.EvalContext)
		value, remain, diagnostics := hcldec.PartialDecode(dynblock.Expand(body, scope), args[2].(hcldec.Spec), scope)
		return record{
			{"value", valueOrNull(value)}, {"parsed", diagnosticsNotation(parsed)}, {"diagnostics", diagnosticsNotation(diagnostics)},
			{"remain", justAttributes(remain, nil)},
		}, nil
	}, aSyntax, aSource, aSpec, aScope)
	define("decode.about", func(args []any) (any, error) {
		body, _ := bodyOf(args[0].(string), args[1].([]byte), filename)
		spec := args[2].(hcldec.Spec)
		return record{
			{"variables", traversalsNotation(hcldec.Variables(body, spec))}, {"sourceRange", rangeNotation(hcldec.SourceRange(body, spec))},
			{"dynamicVariables", traversalsNotation(dynblock.VariablesHCLDec(body, spec))},
			{"expandVariables", traversalsNotation(dynblock.ExpandVariablesHCLDec(body, spec))},
			{"type", hcldec.ImpliedType(spec)},
		}, nil
	}, aSyntax, aSource, aSpec)
}

func decode(dynamic bool) func([]any) (any, error) {
	return func(args []any) (any, error) {
		body, parsed := bodyOf(args[0].(string), args[1].([]byte), filename)
		scope := args[3].(*hcl.EvalContext)
		if dynamic {
			body = dynblock.Expand(body, scope)
		}
		value, diagnostics := hcldec.Decode(body, args[2].(hcldec.Spec), scope)
		return record{{"value", valueOrNull(value)}, {"parsed", diagnosticsNotation(parsed)}, {"diagnostics", diagnosticsNotation(diagnostics)}}, nil
	}
}

// readSpec reads a spec of any kind of hcldec. The spec `validate` rejects null with a diagnostic whose summary and detail are in the case; `refine` has
// refinements in the notation of values.
func readSpec(given any) hcldec.Spec {
	kind, _ := as[map[string]any](given, "a spec")["kind"].(string)
	with := func(required, optional []string) map[string]any {
		return fields(given, append([]string{"kind"}, required...), optional)
	}
	text := func(parts map[string]any, name string) string { return as[string](parts[name], "a string") }
	number := func(parts map[string]any, name string) int {
		if parts[name] == nil {
			return 0
		}
		return readInt(parts[name])
	}
	switch kind {
	case "object":
		spec := hcldec.ObjectSpec{}
		for name, one := range as[map[string]any](with([]string{"specs"}, nil)["specs"], "specs by name") {
			spec[name] = readSpec(one)
		}
		return spec
	case "tuple":
		spec := hcldec.TupleSpec{}
		for _, one := range as[[]any](with([]string{"specs"}, nil)["specs"], "specs") {
			spec = append(spec, readSpec(one))
		}
		return spec
	case "attribute":
		parts := with([]string{"name", "type"}, []string{"required"})
		return &hcldec.AttrSpec{Name: text(parts, "name"), Type: typeOf(parts["type"]), Required: parts["required"] == true}
	case "literal":
		return &hcldec.LiteralSpec{Value: readValue(with([]string{"value"}, nil)["value"])}
	case "expression":
		return &hcldec.ExprSpec{Expr: readExpression(with([]string{"source"}, nil)["source"])}
	case "block":
		parts := with([]string{"type", "nested"}, []string{"required"})
		return &hcldec.BlockSpec{TypeName: text(parts, "type"), Nested: readSpec(parts["nested"]), Required: parts["required"] == true}
	case "blockList":
		parts := with([]string{"type", "nested"}, []string{"min", "max"})
		return &hcldec.BlockListSpec{TypeName: text(parts, "type"), Nested: readSpec(parts["nested"]), MinItems: number(parts, "min"), MaxItems: number(parts, "max")}
	case "blockTuple":
		parts := with([]string{"type", "nested"}, []string{"min", "max"})
		return &hcldec.BlockTupleSpec{TypeName: text(parts, "type"), Nested: readSpec(parts["nested"]), MinItems: number(parts, "min"), MaxItems: number(parts, "max")}
	case "blockSet":
		parts := with([]string{"type", "nested"}, []string{"min", "max"})
		return &hcldec.BlockSetSpec{TypeName: text(parts, "type"), Nested: readSpec(parts["nested"]), MinItems: number(parts, "min"), MaxItems: number(parts, "max")}
	case "blockMap":
		parts := with([]string{"type", "nested", "labels"}, nil)
		return &hcldec.BlockMapSpec{TypeName: text(parts, "type"), Nested: readSpec(parts["nested"]), LabelNames: readStrings(parts["labels"])}
	case "blockObject":
		parts := with([]string{"type", "nested", "labels"}, nil)
		return &hcldec.BlockObjectSpec{TypeName: text(parts, "type"), Nested: readSpec(parts["nested"]), LabelNames: readStrings(parts["labels"])}
	case "blockAttributes":
		parts := with([]string{"type", "elementType"}, []string{"required"})
		return &hcldec.BlockAttrsSpec{TypeName: text(parts, "type"), ElementType: typeOf(parts["elementType"]), Required: parts["required"] == true}
	case "blockLabel":
		parts := with([]string{"index", "name"}, nil)
		return &hcldec.BlockLabelSpec{Index: number(parts, "index"), Name: text(parts, "name")}
	case "default":
		parts := with([]string{"primary", "default"}, nil)
		return &hcldec.DefaultSpec{Primary: readSpec(parts["primary"]), Default: readSpec(parts["default"])}
	case "transformExpression":
		parts := with([]string{"wrapped", "source", "variable"}, nil)
		return &hcldec.TransformExprSpec{
			Wrapped: readSpec(parts["wrapped"]), Expr: readExpression(parts["source"]), VarName: text(parts, "variable"),
			TransformCtx: &hcl.EvalContext{Functions: languageFunctions},
		}
	case "transformFunction":
		parts := with([]string{"wrapped", "function"}, nil)
		f, ok := languageFunctions[text(parts, "function")]
		if !ok {
			refuse("unknown function %v", parts["function"])
		}
		return &hcldec.TransformFuncSpec{Wrapped: readSpec(parts["wrapped"]), Func: f}
	case "refine":
		parts := with([]string{"wrapped", "refinements"}, nil)
		return &hcldec.RefineValueSpec{Wrapped: readSpec(parts["wrapped"]), Refine: readRefinements(parts["refinements"])}
	case "validate":
		parts := with([]string{"wrapped", "summary", "detail"}, nil)
		summary, detail := text(parts, "summary"), text(parts, "detail")
		return &hcldec.ValidateSpec{Wrapped: readSpec(parts["wrapped"]), Func: func(value cty.Value) hcl.Diagnostics {
			if !value.IsNull() {
				return nil
			}
			return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: summary, Detail: detail}}
		}}
	}
	refuse("unknown kind of spec: %q", kind)
	return nil
}

func readExpression(given any) hcl.Expression {
	expression, diagnostics := hclsyntax.ParseExpression(readSource(given), filename, hcl.InitialPos)
	if diagnostics.HasErrors() {
		refuse("not an expression: %s", diagnostics)
	}
	return expression
}

func init() {
	for name, read := range map[string]func(hcl.Expression) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics){
		"type": func(e hcl.Expression) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
			ty, diagnostics := typeexpr.Type(e)
			return ty, nil, diagnostics
		},
		"constraint": func(e hcl.Expression) (cty.Type, *typeexpr.Defaults, hcl.Diagnostics) {
			ty, diagnostics := typeexpr.TypeConstraint(e)
			return ty, nil, diagnostics
		},
		"defaults": typeexpr.TypeConstraintWithDefaults,
	} {
		two("typeexpr."+name, aSyntax, aSource, func(syntax string, source []byte) any {
			expression, parsed := expressionOf(syntax, source)
			ty, defaults, diagnostics := read(expression)
			return record{
				{"type", ty}, {"defaults", defaultsNotation(defaults)}, {"parsed", diagnosticsNotation(parsed)},
				{"diagnostics", diagnosticsNotation(diagnostics)},
			}
		})
	}
	two("typeexpr.apply", aSource, aValue, func(source []byte, value cty.Value) any {
		_, defaults, diagnostics := typeexpr.TypeConstraintWithDefaults(readExpression(string(source)))
		if diagnostics.HasErrors() {
			refuse("not a type: %s", diagnostics)
		}
		if defaults == nil {
			return value
		}
		return defaults.Apply(value)
	})
	one("typeexpr.string", aType, func(ty cty.Type) any { return typeexpr.TypeString(ty) })
}

func defaultsNotation(given *typeexpr.Defaults) any {
	if given == nil {
		return nil
	}
	values, children := map[string]any{}, map[string]any{}
	for name, value := range given.DefaultValues {
		values[name] = value
	}
	for name, child := range given.Children {
		children[name] = defaultsNotation(child)
	}
	return record{{"type", given.Type}, {"values", sortedRecord(values)}, {"children", sortedRecord(children)}}
}

func sortedRecord(given map[string]any) record {
	written := record{}
	for _, name := range sortedKeys(given) {
		written = append(written, field{name, given[name]})
	}
	return written
}
