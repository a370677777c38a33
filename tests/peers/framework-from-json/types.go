// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var simpleTypes = map[string]attr.Type{
	"string":   types.StringType,
	"caseless": caselessType{},
	"bool":     types.BoolType,
	"int32":    types.Int32Type,
	"int64":    types.Int64Type,
	"float32":  types.Float32Type,
	"float64":  types.Float64Type,
	"number":   types.NumberType,
	"dynamic":  types.DynamicType,
}

// frameworkType returns the framework's type for a declared type.
func (t *typeDeclaration) frameworkType() attr.Type {
	switch t.Kind {
	case "list":
		return types.ListType{ElemType: t.Element.frameworkType()}
	case "set":
		return types.SetType{ElemType: t.Element.frameworkType()}
	case "map":
		return types.MapType{ElemType: t.Element.frameworkType()}
	case "object":
		members := map[string]attr.Type{}
		for name, member := range t.Members {
			members[name] = member.frameworkType()
		}
		return types.ObjectType{AttrTypes: members}
	}
	known, ok := simpleTypes[t.Kind]
	if !ok {
		panic("no type is called " + t.Kind)
	}
	return known
}

// wireType returns the protocol's type for a declared type.
func (t *typeDeclaration) wireType() tftypes.Type {
	switch t.Kind {
	case "string", "caseless":
		return tftypes.String
	case "bool":
		return tftypes.Bool
	case "dynamic":
		return tftypes.DynamicPseudoType
	case "list":
		return tftypes.List{ElementType: t.Element.wireType()}
	case "set":
		return tftypes.Set{ElementType: t.Element.wireType()}
	case "map":
		return tftypes.Map{ElementType: t.Element.wireType()}
	case "object":
		members := map[string]tftypes.Type{}
		for name, member := range t.Members {
			members[name] = member.wireType()
		}
		return tftypes.Object{AttributeTypes: members}
	}
	return tftypes.Number
}

func (a *attributeDeclaration) wireType() tftypes.Type {
	if a.Kind != "nested" {
		return a.typeDeclaration.wireType()
	}
	return repeatedType(a.Nesting, a.Body.wireType())
}

func (s *schemaDeclaration) wireType() tftypes.Type {
	members := map[string]tftypes.Type{}
	for name, attribute := range s.Attributes {
		members[name] = attribute.wireType()
	}
	for name, block := range s.Blocks {
		members[name] = repeatedType(block.Nesting, block.Body.wireType())
	}
	return tftypes.Object{AttributeTypes: members}
}

func repeatedType(nesting string, body tftypes.Type) tftypes.Type {
	switch nesting {
	case "list":
		return tftypes.List{ElementType: body}
	case "set":
		return tftypes.Set{ElementType: body}
	case "map":
		return tftypes.Map{ElementType: body}
	}
	return body
}
