// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// languageFunctions are the functions that a scope can have: go-cty's functions, some of them also in namespaces; functions on expressions
// (try, can, convert); two that blame an argument that may not exist; and two that evaluate their arguments themselves.
var languageFunctions = func() map[string]function.Function {
	all := maps.Clone(functions)
	all["try"] = tryfunc.TryFunc
	all["can"] = tryfunc.CanFunc
	all["convert"] = typeexpr.ConvertFunc
	all["core::upper"] = functions["upper"]
	all["core::lower"] = functions["lower"]
	all["provider::test::join"] = functions["join"]
	all["provider::test::length"] = functions["length"]
	blame := function.Parameter{Name: "index", Type: cty.Number}
	rest := function.Parameter{Name: "rest", Type: cty.DynamicPseudoType}
	all["blame"] = blamingFunction(&function.Spec{Params: []function.Parameter{blame}})
	all["blamerest"] = blamingFunction(&function.Spec{Params: []function.Parameter{blame}, VarParam: &rest})
	all["wordof"] = wordOf
	all["valueof"] = valueOf
	return all
}()

// wordOf returns the keyword that its argument consists of, and the argument's range.
var wordOf = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "word", Type: customdecode.ExpressionType}},
	Type:   function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		expression := customdecode.ExpressionFromVal(args[0])
		return cty.StringVal(fmt.Sprintf("%q at %s", hcl.ExprAsKeyword(expression), expression.Range())), nil
	},
})

// valueOf evaluates its arguments itself, with an additional variable in the scope.
var valueOf = function.New(&function.Spec{
	Params:   []function.Parameter{{Name: "extra", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowNull: true, AllowDynamicType: true}},
	VarParam: &function.Parameter{Name: "closures", Type: customdecode.ExpressionClosureType},
	Type:     function.StaticReturnType(cty.DynamicPseudoType),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		values := []cty.Value{}
		for i, one := range args[1:] {
			closure := customdecode.ExpressionClosureFromVal(one)
			scope := closure.EvalContext.NewChild()
			scope.Variables = map[string]cty.Value{"extra": args[0]}
			value, diagnostics := closure.Expression.Value(scope)
			if diagnostics.HasErrors() {
				return cty.DynamicVal, function.NewArgErrorf(i+1, "%s", diagnostics[0].Detail)
			}
			values = append(values, value)
		}
		return cty.TupleVal(values), nil
	},
})

func blamingFunction(spec *function.Spec) function.Function {
	spec.Type = function.StaticReturnType(cty.String)
	spec.Impl = func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		index, _ := args[0].AsBigFloat().Int64()
		return cty.NilVal, function.NewArgErrorf(int(index), "blamed for trying")
	}
	return function.New(spec)
}

func init() {
	define("evaluate", func(args []any) (any, error) {
		expression, diagnostics := expressionOf(args[0].(string), args[1].([]byte))
		value, more := expression.Value(args[2].(*hcl.EvalContext))
		return record{{"value", valueOrNull(value)}, {"parsed", diagnosticsNotation(diagnostics)}, {"diagnostics", diagnosticsNotation(more)}}, nil
	}, aSyntax, aSource, aScope)
	// Evaluates a tree that no source produces: the join of the results of a "for" expression, as for a template directive, but of any type.
	two("evaluate.join", aSource, aScope, func(source []byte, scope *hcl.EvalContext) any {
		tuple, diagnostics := hclsyntax.ParseExpression(source, filename, hcl.InitialPos)
		if _, ok := tuple.(*hclsyntax.ForExpr); !ok || diagnostics.HasErrors() {
			refuse("not a \"for\" expression: %s", source)
		}
		value, diagnostics := (&hclsyntax.TemplateJoinExpr{Tuple: tuple}).Value(scope)
		return record{{"value", value}, {"diagnostics", diagnosticsNotation(diagnostics)}}
	})
	two("index", aValue, aValue, func(collection, key cty.Value) any {
		value, diagnostics := hcl.Index(collection, key, &hcl.Range{Filename: filename})
		return record{{"value", value}, {"diagnostics", diagnosticsNotation(diagnostics)}}
	})
	two("getAttr", aValue, aString, func(object cty.Value, name string) any {
		value, diagnostics := hcl.GetAttr(object, name, &hcl.Range{Filename: filename})
		return record{{"value", value}, {"diagnostics", diagnosticsNotation(diagnostics)}}
	})
	two("applyPath", aValue, aPath, func(object cty.Value, path cty.Path) any {
		value, diagnostics := hcl.ApplyPath(object, path, &hcl.Range{Filename: filename})
		return record{{"value", value}, {"diagnostics", diagnosticsNotation(diagnostics)}}
	})
}
