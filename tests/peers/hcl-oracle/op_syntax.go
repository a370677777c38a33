// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	hcljson "github.com/hashicorp/hcl/v2/json"
)

func init() {
	for name, lex := range map[string]func([]byte, string, hcl.Pos) (hclsyntax.Tokens, hcl.Diagnostics){
		"config": hclsyntax.LexConfig, "expression": hclsyntax.LexExpression, "template": hclsyntax.LexTemplate,
	} {
		one("lex."+name, aSource, func(source []byte) any {
			tokens, diagnostics := lex(source, filename, hcl.InitialPos)
			written := []any{}
			for _, token := range tokens {
				written = append(written, []any{strings.TrimPrefix(token.Type.String(), "Token"), string(token.Bytes), rangeNotation(token.Range)})
			}
			return record{{"tokens", written}, {"diagnostics", diagnosticsNotation(diagnostics)}}
		})
	}
	one("parse.config", aSource, func(source []byte) any {
		file, diagnostics := hclsyntax.ParseConfig(source, filename, hcl.InitialPos)
		return record{{"body", bodyNotation(file.Body.(*hclsyntax.Body))}, {"diagnostics", diagnosticsNotation(diagnostics)}}
	})
	for name, parse := range map[string]func([]byte, string, hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics){
		"expression": hclsyntax.ParseExpression, "template": hclsyntax.ParseTemplate,
	} {
		one("parse."+name, aSource, func(source []byte) any {
			node, diagnostics := parse(source, filename, hcl.InitialPos)
			return record{{"expression", nodeNotation(node)}, {"diagnostics", diagnosticsNotation(diagnostics)}}
		})
	}
	for name, parse := range map[string]func([]byte, string, hcl.Pos) (hcl.Traversal, hcl.Diagnostics){
		"traversal": hclsyntax.ParseTraversalAbs, "traversalPartial": hclsyntax.ParseTraversalPartial,
	} {
		one("parse."+name, aSource, func(source []byte) any {
			traversal, diagnostics := parse(source, filename, hcl.InitialPos)
			return record{{"traversal", traversalNotation(traversal)}, {"diagnostics", diagnosticsNotation(diagnostics)}}
		})
	}
	one("validIdentifier", aString, func(text string) any { return hclsyntax.ValidIdentifier(text) })
	one("json.parse", aSource, func(source []byte) any {
		file, diagnostics := hcljson.Parse(source, filename)
		return record{{"node", jsonNodeIn(file.Body, "val")}, {"diagnostics", diagnosticsNotation(diagnostics)}}
	})
	one("json.expression", aSource, func(source []byte) any {
		expression, diagnostics := hcljson.ParseExpression(source, filename)
		return record{{"node", jsonNodeIn(expression, "src")}, {"diagnostics", diagnosticsNotation(diagnostics)}}
	})
	two("static", aSyntax, aSource, staticOf)
	one("format", aSource, func(source []byte) any { return string(hclwrite.Format(source)) })
	// Parses and writes a text without a change.
	one("rewrite", aSource, func(source []byte) any {
		file, diagnostics := hclwrite.ParseConfig(source, filename, hcl.InitialPos)
		if diagnostics.HasErrors() {
			return record{{"diagnostics", diagnosticsNotation(diagnostics)}}
		}
		return record{{"text", string(file.Bytes())}, {"diagnostics", diagnosticsNotation(diagnostics)}}
	})
	define("at", at, aSource, anInt)
	define("diagnostics.text", diagnosticsText, aSyntax, aSource, aScope, anInt, aBool)
}

// staticOf returns everything that the library reports about an expression without evaluating it.
func staticOf(syntax string, source []byte) any {
	expression, parsed := expressionOf(syntax, source)
	absolute, absoluteDiagnostics := hcl.AbsTraversalForExpr(expression)
	relative, _ := hcl.RelTraversalForExpr(expression)
	list, listDiagnostics := hcl.ExprList(expression)
	pairs, pairsDiagnostics := hcl.ExprMap(expression)
	call, callDiagnostics := hcl.ExprCall(expression)
	result := record{
		{"diagnostics", diagnosticsNotation(parsed)},
		{"traversal", traversalNotation(absolute)}, {"traversalDiagnostics", diagnosticsNotation(absoluteDiagnostics)},
		{"relative", traversalNotation(relative)}, {"keyword", hcl.ExprAsKeyword(expression)},
		{"startRange", rangeNotation(expression.StartRange())}, {"range", rangeNotation(expression.Range())},
		{"variables", traversalsNotation(expression.Variables())},
	}
	if listDiagnostics.HasErrors() {
		result = append(result, field{"listDiagnostics", diagnosticsNotation(listDiagnostics)})
	} else {
		result = append(result, field{"list", expressionRanges(list)})
	}
	if pairsDiagnostics.HasErrors() {
		result = append(result, field{"mapDiagnostics", diagnosticsNotation(pairsDiagnostics)})
	} else {
		written := []any{}
		for _, pair := range pairs {
			written = append(written, []any{rangeNotation(pair.Key.Range()), rangeNotation(pair.Value.Range()), hcl.ExprAsKeyword(pair.Key)})
		}
		result = append(result, field{"map", written})
	}
	if callDiagnostics.HasErrors() {
		result = append(result, field{"callDiagnostics", diagnosticsNotation(callDiagnostics)})
	} else {
		result = append(result, field{"call", record{
			{"name", call.Name}, {"nameRange", rangeNotation(call.NameRange)}, {"arguments", expressionRanges(call.Arguments)},
			{"argumentsRange", rangeNotation(call.ArgsRange)},
		}})
	}
	return result
}

func expressionRanges(all []hcl.Expression) []any {
	written := []any{}
	for _, one := range all {
		written = append(written, rangeNotation(one.Range()))
	}
	return written
}

// at returns the blocks, attribute and expression at an offset of a native body.
func at(args []any) (any, error) {
	source, offset := args[0].([]byte), args[1].(int)
	file, _ := hclsyntax.ParseConfig(source, filename, hcl.InitialPos)
	position := hcl.Pos{Byte: offset}
	result := record{}
	blocks := []any{}
	for _, block := range file.BlocksAtPos(position) {
		blocks = append(blocks, rangeNotation(block.DefRange))
	}
	result = append(result, field{"blocks", blocks})
	if attribute := file.AttributeAtPos(position); attribute != nil {
		result = append(result, field{"attribute", attribute.Name})
	}
	if expression := file.OutermostExprAtPos(position); expression != nil {
		result = append(result, field{"outermost", rangeNotation(expression.Range())})
	}
	if body, ok := file.Body.(*hclsyntax.Body); ok {
		if expression := body.OutermostExprAtPos(position); expression != nil {
			result = append(result, field{"native", rangeNotation(expression.Range())})
		}
	}
	return result, nil
}

// diagnosticsText returns the library's text of the diagnostics of parsing and evaluating an expression.
func diagnosticsText(args []any) (any, error) {
	syntax, source, scope := args[0].(string), args[1].([]byte), args[2].(*hcl.EvalContext)
	expression, diagnostics := expressionOf(syntax, source)
	if !diagnostics.HasErrors() {
		_, evaluated := expression.Value(scope)
		diagnostics = append(diagnostics, evaluated...)
	}
	var text bytes.Buffer
	files := map[string]*hcl.File{filename: {Bytes: source}}
	if err := hcl.NewDiagnosticTextWriter(&text, files, uint(args[3].(int)), args[4].(bool)).WriteDiagnostics(diagnostics); err != nil {
		return nil, err
	}
	return text.String(), nil
}
