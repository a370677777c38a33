// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sort"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/opentofu/opentofu/internal/addrs"
	"github.com/opentofu/opentofu/internal/lang/evalchecks"
	"github.com/opentofu/opentofu/internal/tfdiags"
)

// The repetition arguments, as "repetition.<argument>": the value of `count`, `for_each` or `enabled`, and the address of the object, or
// an empty text. {"result": …, "diagnostics": […]}; there is no result if there are errors.
func init() {
	two("repetition.count", aValue, aString, func(given cty.Value, address string) any {
		value, expression, _ := repetitionArgument(given)
		count, diags := evalchecks.EvaluateCountExpression(expression, func(hcl.Expression) (cty.Value, tfdiags.Diagnostics) {
			number, err := convert.Convert(value, cty.Number)
			if err != nil {
				refuse("expected a number")
			}
			return number, nil
		}, parseTarget(address))
		return repetitionNotation(count, diags)
	})
	two("repetition.forEach", aValue, aString, func(given cty.Value, address string) any {
		_, expression, scope := repetitionArgument(given)
		values, diags := evalchecks.EvaluateForEachExpression(expression, scope, parseTarget(address))
		entries := []any{}
		for _, key := range keysOf(values) {
			entries = append(entries, []any{key, withNamedMarks(values[key])})
		}
		sort.SliceStable(entries, func(i, j int) bool { return entries[i].([]any)[0].(string) < entries[j].([]any)[0].(string) })
		return repetitionNotation(entries, diags)
	})
	two("repetition.enabled", aValue, aString, func(given cty.Value, _ string) any {
		_, expression, scope := repetitionArgument(given)
		enabled, diags := evalchecks.EvaluateEnabledExpression(expression, scope)
		return repetitionNotation(enabled, diags)
	})
}

// repetitionArgument returns the value with OpenTofu's marks, an expression that evaluates to it, and the scope of the expression.
func repetitionArgument(given cty.Value) (cty.Value, hcl.Expression, evalchecks.ContextFunc) {
	value := markedArguments([]any{given})[0]
	expression, _ := hclsyntax.ParseExpression([]byte("local.v"), "main.tf", hcl.InitialPos)
	return value, expression, func([]*addrs.Reference) (*hcl.EvalContext, tfdiags.Diagnostics) {
		return &hcl.EvalContext{Variables: map[string]cty.Value{"local": cty.ObjectVal(map[string]cty.Value{"v": value})}}, nil
	}
}

func parseTarget(address string) addrs.Targetable {
	if address == "" {
		return nil
	}
	target, diags := addrs.ParseTargetStr(address)
	if diags.HasErrors() {
		refuse("address: %s", diags.Err())
	}
	return target.Subject
}

func repetitionNotation(result any, diags tfdiags.Diagnostics) any {
	notation := record{{"diagnostics", diagnosticsNotation(diags)}}
	if !diags.HasErrors() {
		notation = append(notation, field{"result", result})
	}
	return notation
}
