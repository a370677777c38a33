// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/dynamicdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float32default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int32default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/numberdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// attributes returns the attributes of a resource's schema. They also satisfy the interfaces of the other kinds of schema.
func (s *schemaDeclaration) attributes() map[string]schema.Attribute {
	all := map[string]schema.Attribute{}
	for name, declared := range s.Attributes {
		all[name] = declared.attribute(s, name)
	}
	return all
}

func (s *schemaDeclaration) blocks() map[string]schema.Block {
	all := map[string]schema.Block{}
	for name, declared := range s.Blocks {
		all[name] = declared.block()
	}
	return all
}

func (a *attributeDeclaration) attribute(within *schemaDeclaration, name string) schema.Attribute {
	required, optional, computed, writeOnly := a.required(), a.optional(), a.computed(), a.writeOnly()
	sensitive, deprecated := a.Sensitive, a.Deprecated
	switch a.Kind {
	case "string", "caseless":
		attribute := schema.StringAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			Validators: append(stringValidators(a.Validators), within.stringRules(name)...), PlanModifiers: stringModifiers(a.Modifiers),
		}
		if a.Kind == "caseless" {
			attribute.CustomType = caselessType{}
		}
		if a.Default != nil {
			attribute.Default = stringdefault.StaticString(defaultOf[types.String](types.StringType, a).ValueString())
		}
		return attribute
	case "bool":
		attribute := schema.BoolAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			Validators: boolValidators(a.Validators), PlanModifiers: boolModifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = booldefault.StaticBool(defaultOf[types.Bool](types.BoolType, a).ValueBool())
		}
		return attribute
	case "int32":
		attribute := schema.Int32Attribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			Validators: int32Validators(a.Validators), PlanModifiers: int32Modifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = int32default.StaticInt32(defaultOf[types.Int32](types.Int32Type, a).ValueInt32())
		}
		return attribute
	case "int64":
		attribute := schema.Int64Attribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			Validators: append(int64Validators(a.Validators), within.numberRules(name)...), PlanModifiers: int64Modifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = int64default.StaticInt64(defaultOf[types.Int64](types.Int64Type, a).ValueInt64())
		}
		return attribute
	case "float32":
		attribute := schema.Float32Attribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			Validators: float32Validators(a.Validators), PlanModifiers: float32Modifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = float32default.StaticFloat32(defaultOf[types.Float32](types.Float32Type, a).ValueFloat32())
		}
		return attribute
	case "float64":
		attribute := schema.Float64Attribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			Validators: float64Validators(a.Validators), PlanModifiers: float64Modifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = float64default.StaticFloat64(defaultOf[types.Float64](types.Float64Type, a).ValueFloat64())
		}
		return attribute
	case "number":
		attribute := schema.NumberAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			Validators: numberValidators(a.Validators), PlanModifiers: numberModifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = numberdefault.StaticBigFloat(defaultOf[types.Number](types.NumberType, a).ValueBigFloat())
		}
		return attribute
	case "dynamic":
		attribute := schema.DynamicAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			PlanModifiers: dynamicModifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = dynamicdefault.StaticValue(defaultOf[types.Dynamic](types.DynamicType, a))
		}
		return attribute
	case "nested":
		return a.nested()
	}
	return a.collection()
}

// collection returns an attribute of a list, set, map or object type.
func (a *attributeDeclaration) collection() schema.Attribute {
	required, optional, computed, writeOnly := a.required(), a.optional(), a.computed(), a.writeOnly()
	sensitive, deprecated := a.Sensitive, a.Deprecated
	kind := a.frameworkType()
	switch a.Kind {
	case "list":
		attribute := schema.ListAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			ElementType: a.Element.frameworkType(), Validators: listValidators(a.Validators, a.Element), PlanModifiers: listModifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = listdefault.StaticValue(defaultOf[types.List](kind, a))
		}
		return attribute
	case "set":
		attribute := schema.SetAttribute{
			Required: required, Optional: optional, Computed: computed, Sensitive: sensitive, DeprecationMessage: deprecated,
			ElementType: a.Element.frameworkType(), Validators: setValidators(a.Validators, a.Element), PlanModifiers: setModifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = setdefault.StaticValue(defaultOf[types.Set](kind, a))
		}
		return attribute
	case "map":
		attribute := schema.MapAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			ElementType: a.Element.frameworkType(), Validators: mapValidators(a.Validators, a.Element), PlanModifiers: mapModifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = mapdefault.StaticValue(defaultOf[types.Map](kind, a))
		}
		return attribute
	case "object":
		attribute := schema.ObjectAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			AttributeTypes: kind.(types.ObjectType).AttrTypes, PlanModifiers: objectModifiers(a.Modifiers),
		}
		if a.Default != nil {
			attribute.Default = objectdefault.StaticValue(defaultOf[types.Object](kind, a))
		}
		return attribute
	}
	panic("no attribute has the kind " + a.Kind)
}

func (a *attributeDeclaration) nested() schema.Attribute {
	required, optional, computed, writeOnly := a.required(), a.optional(), a.computed(), a.writeOnly()
	sensitive, deprecated := a.Sensitive, a.Deprecated
	body := schema.NestedAttributeObject{Attributes: a.Body.attributes()}
	switch a.Nesting {
	case "list":
		return schema.ListNestedAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			NestedObject: body, Validators: listValidators(a.Validators, nil), PlanModifiers: listModifiers(a.Modifiers),
		}
	case "set":
		return schema.SetNestedAttribute{
			Required: required, Optional: optional, Computed: computed, Sensitive: sensitive, DeprecationMessage: deprecated,
			NestedObject: body, Validators: setValidators(a.Validators, nil), PlanModifiers: setModifiers(a.Modifiers),
		}
	case "map":
		return schema.MapNestedAttribute{
			Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
			NestedObject: body, Validators: mapValidators(a.Validators, nil), PlanModifiers: mapModifiers(a.Modifiers),
		}
	}
	return schema.SingleNestedAttribute{
		Required: required, Optional: optional, Computed: computed, WriteOnly: writeOnly, Sensitive: sensitive, DeprecationMessage: deprecated,
		Attributes: body.Attributes, PlanModifiers: objectModifiers(a.Modifiers),
	}
}

func (b *blockDeclaration) block() schema.Block {
	body := schema.NestedBlockObject{Attributes: b.Body.attributes(), Blocks: b.Body.blocks()}
	switch b.Nesting {
	case "list":
		return schema.ListNestedBlock{
			DeprecationMessage: b.Deprecated, NestedObject: body, Validators: listValidators(b.Validators, nil), PlanModifiers: listModifiers(b.Modifiers),
		}
	case "set":
		return schema.SetNestedBlock{
			DeprecationMessage: b.Deprecated, NestedObject: body, Validators: setValidators(b.Validators, nil), PlanModifiers: setModifiers(b.Modifiers),
		}
	}
	return schema.SingleNestedBlock{
		DeprecationMessage: b.Deprecated, Attributes: body.Attributes, Blocks: body.Blocks,
		Validators: requiredBlock(b.Required), PlanModifiers: objectModifiers(b.Modifiers),
	}
}

// defaultOf returns the declared default as a value of the framework.
func defaultOf[T attr.Value](kind attr.Type, a *attributeDeclaration) T {
	value, err := kind.ValueFromTerraform(context.Background(), a.fromJSON(a.Default))
	must(err)
	return value.(T)
}

func (r *resourceDeclaration) identitySchema() identityschema.Schema {
	all := map[string]identityschema.Attribute{}
	for name, declared := range r.Identity {
		required, optional := !declared.Optional, declared.Optional
		switch declared.Kind {
		case "int64":
			all[name] = identityschema.Int64Attribute{RequiredForImport: required, OptionalForImport: optional}
		case "bool":
			all[name] = identityschema.BoolAttribute{RequiredForImport: required, OptionalForImport: optional}
		default:
			all[name] = identityschema.StringAttribute{RequiredForImport: required, OptionalForImport: optional}
		}
	}
	return identityschema.Schema{Attributes: all}
}
