// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"unsafe"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

var operators = map[*hclsyntax.Operation]string{
	hclsyntax.OpLogicalOr: "||", hclsyntax.OpLogicalAnd: "&&", hclsyntax.OpLogicalNot: "!", hclsyntax.OpEqual: "==",
	hclsyntax.OpNotEqual: "!=", hclsyntax.OpGreaterThan: ">", hclsyntax.OpGreaterThanOrEqual: ">=", hclsyntax.OpLessThan: "<",
	hclsyntax.OpLessThanOrEqual: "<=", hclsyntax.OpAdd: "+", hclsyntax.OpSubtract: "-", hclsyntax.OpMultiply: "*",
	hclsyntax.OpDivide: "/", hclsyntax.OpModulo: "%", hclsyntax.OpNegate: "-",
}

func nodeNotation(given hclsyntax.Expression) any {
	if given == nil || reflect.ValueOf(given).IsNil() {
		return nil
	}
	about := func(kind string, parts ...field) record {
		return append(record{{"kind", kind}, {"range", rangeNotation(given.Range())}}, parts...)
	}
	switch node := given.(type) {
	case *hclsyntax.ParenthesesExpr:
		return about("parentheses", field{"inner", nodeNotation(node.Expression)})
	case *hclsyntax.LiteralValueExpr:
		return about("literal", field{"value", node.Val})
	case *hclsyntax.ScopeTraversalExpr:
		return about("scopeTraversal", field{"traversal", traversalNotation(node.Traversal)})
	case *hclsyntax.RelativeTraversalExpr:
		return about("relativeTraversal", field{"source", nodeNotation(node.Source)}, field{"traversal", traversalNotation(node.Traversal)})
	case *hclsyntax.FunctionCallExpr:
		return about("functionCall", field{"name", node.Name}, field{"arguments", nodesNotation(node.Args)}, field{"expandFinal", node.ExpandFinal},
			field{"nameRange", rangeNotation(node.NameRange)}, field{"openRange", rangeNotation(node.OpenParenRange)},
			field{"closeRange", rangeNotation(node.CloseParenRange)})
	case *hclsyntax.ConditionalExpr:
		return about("conditional", field{"condition", nodeNotation(node.Condition)}, field{"trueResult", nodeNotation(node.TrueResult)},
			field{"falseResult", nodeNotation(node.FalseResult)})
	case *hclsyntax.BinaryOpExpr:
		return about("binary", field{"operator", operators[node.Op]}, field{"left", nodeNotation(node.LHS)}, field{"right", nodeNotation(node.RHS)})
	case *hclsyntax.UnaryOpExpr:
		return about("unary", field{"operator", operators[node.Op]}, field{"operand", nodeNotation(node.Val)},
			field{"operatorRange", rangeNotation(node.SymbolRange)})
	case *hclsyntax.IndexExpr:
		return about("index", field{"collection", nodeNotation(node.Collection)}, field{"key", nodeNotation(node.Key)},
			field{"openRange", rangeNotation(node.OpenRange)}, field{"bracketRange", rangeNotation(node.BracketRange)})
	case *hclsyntax.TupleConsExpr:
		return about("tuple", field{"elements", nodesNotation(node.Exprs)}, field{"openRange", rangeNotation(node.OpenRange)})
	case *hclsyntax.ObjectConsExpr:
		items := []any{}
		for _, item := range node.Items {
			items = append(items, record{{"key", nodeNotation(item.KeyExpr)}, {"value", nodeNotation(item.ValueExpr)}})
		}
		return about("object", field{"items", items}, field{"openRange", rangeNotation(node.OpenRange)})
	case *hclsyntax.ObjectConsKeyExpr:
		return about("objectKey", field{"wrapped", nodeNotation(node.Wrapped)}, field{"forceNonLiteral", node.ForceNonLiteral})
	case *hclsyntax.ForExpr:
		parts := []field{}
		if node.KeyVar != "" {
			parts = append(parts, field{"keyName", node.KeyVar})
		}
		parts = append(parts, field{"valueName", node.ValVar}, field{"collection", nodeNotation(node.CollExpr)})
		if node.KeyExpr != nil {
			parts = append(parts, field{"key", nodeNotation(node.KeyExpr)})
		}
		parts = append(parts, field{"value", nodeNotation(node.ValExpr)})
		if node.CondExpr != nil {
			parts = append(parts, field{"condition", nodeNotation(node.CondExpr)})
		}
		parts = append(parts, field{"group", node.Group}, field{"openRange", rangeNotation(node.OpenRange)},
			field{"closeRange", rangeNotation(node.CloseRange)})
		return about("for", parts...)
	case *hclsyntax.SplatExpr:
		return about("splat", field{"source", nodeNotation(node.Source)}, field{"each", nodeNotation(node.Each)},
			field{"item", nodeNotation(node.Item)}, field{"markerRange", rangeNotation(node.MarkerRange)})
	case *hclsyntax.AnonSymbolExpr:
		return about("anonymousSymbol")
	case *hclsyntax.TemplateExpr:
		return about("template", field{"parts", nodesNotation(node.Parts)})
	case *hclsyntax.TemplateJoinExpr:
		return about("templateJoin", field{"tuple", nodeNotation(node.Tuple)})
	case *hclsyntax.TemplateWrapExpr:
		return about("templateWrap", field{"wrapped", nodeNotation(node.Wrapped)})
	case *hclsyntax.ExprSyntaxError:
		return about("syntaxError", field{"diagnostics", diagnosticsNotation(node.ParseDiags)})
	}
	panic(fmt.Sprintf("an expression of type %T", given))
}

func nodesNotation(all []hclsyntax.Expression) []any {
	written := []any{}
	for _, one := range all {
		written = append(written, nodeNotation(one))
	}
	return written
}

// bodyNotation writes the attributes in the order of the source.
func bodyNotation(body *hclsyntax.Body) record {
	attributes := []any{}
	for _, one := range sortedAttributes(body.Attributes) {
		attributes = append(attributes, record{
			{"name", one.Name}, {"expression", nodeNotation(one.Expr)}, {"nameRange", rangeNotation(one.NameRange)},
			{"equalsRange", rangeNotation(one.EqualsRange)}, {"range", rangeNotation(one.SrcRange)},
		})
	}
	blocks := []any{}
	for _, one := range body.Blocks {
		labels := []any{}
		for _, label := range one.Labels {
			labels = append(labels, label)
		}
		blocks = append(blocks, record{
			{"type", one.Type}, {"labels", labels}, {"body", bodyNotation(one.Body)}, {"typeRange", rangeNotation(one.TypeRange)},
			{"labelRanges", rangesNotation(one.LabelRanges)}, {"openBraceRange", rangeNotation(one.OpenBraceRange)},
			{"closeBraceRange", rangeNotation(one.CloseBraceRange)}, {"range", rangeNotation(one.Range())},
		})
	}
	return record{{"attributes", attributes}, {"blocks", blocks}, {"range", rangeNotation(body.SrcRange)}, {"endRange", rangeNotation(body.EndRange)}}
}

func sortedAttributes(given hclsyntax.Attributes) []*hclsyntax.Attribute {
	all := []*hclsyntax.Attribute{}
	for _, one := range given {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *hclsyntax.Attribute) int { return a.SrcRange.Start.Byte - b.SrcRange.Start.Byte })
	return all
}

// jsonNotation reads nodes of the JSON syntax by reflection, because the library does not export them.
func jsonNotation(node reflect.Value) record {
	if node.Kind() == reflect.Interface {
		node = node.Elem()
	}
	if node.Kind() == reflect.Pointer {
		node = node.Elem()
	}
	at := func(name string) any { return rangeNotation(*peek[hcl.Range](node.FieldByName(name))) }
	about := func(kind string, parts ...field) record {
		return append(record{{"kind", kind}, {"range", at("SrcRange")}}, parts...)
	}
	switch node.Type().Name() {
	case "objectVal":
		members := []any{}
		for i := range node.FieldByName("Attrs").Len() {
			member := node.FieldByName("Attrs").Index(i).Elem()
			members = append(members, record{
				{"name", member.FieldByName("Name").String()}, {"value", jsonNotation(member.FieldByName("Value"))},
				{"nameRange", rangeNotation(*peek[hcl.Range](member.FieldByName("NameRange")))},
			})
		}
		return about("jsonObject", field{"members", members}, field{"openRange", at("OpenRange")}, field{"closeRange", at("CloseRange")})
	case "arrayVal":
		elements := []any{}
		for i := range node.FieldByName("Values").Len() {
			elements = append(elements, jsonNotation(node.FieldByName("Values").Index(i)))
		}
		return about("jsonArray", field{"elements", elements}, field{"openRange", at("OpenRange")})
	case "stringVal":
		return about("jsonString", field{"value", node.FieldByName("Value").String()})
	case "numberVal":
		return about("jsonNumber", field{"value", cty.NumberVal(*peek[*big.Float](node.FieldByName("Value")))})
	case "booleanVal":
		return about("jsonBoolean", field{"value", node.FieldByName("Value").Bool()})
	case "nullVal":
		return about("jsonNull")
	case "invalidVal":
		// The range is not addressable, because the interface holds the node by value.
		return record{{"kind", "jsonInvalid"}, {"range", rangeNotation(rangeByFields(node.FieldByName("SrcRange")))}}
	}
	panic(fmt.Sprintf("a JSON node of type %s", node.Type()))
}

// rangeByFields reads a range that is not addressable.
func rangeByFields(at reflect.Value) hcl.Range {
	position := func(name string) hcl.Pos {
		part := func(number string) int { return int(at.FieldByName(name).FieldByName(number).Int()) }
		return hcl.Pos{Line: part("Line"), Column: part("Column"), Byte: part("Byte")}
	}
	return hcl.Range{Filename: at.FieldByName("Filename").String(), Start: position("Start"), End: position("End")}
}

// peek reads an unexported field.
func peek[T any](of reflect.Value) *T { return (*T)(unsafe.Pointer(of.UnsafeAddr())) }

// jsonNodeIn returns the node in a body or expression of the JSON syntax.
func jsonNodeIn(holder any, name string) record {
	return jsonNotation(reflect.ValueOf(holder).Elem().FieldByName(name))
}
