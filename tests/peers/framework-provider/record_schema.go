// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func (r *record) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = recordSchema
}

// recordSchema has every kind of attribute and block. Version 0 is in record_origin.go.
var recordSchema = schema.Schema{
	Version:             1,
	MarkdownDescription: "A record with **every** kind of attribute.",
	Attributes: map[string]schema.Attribute{
		// Computed: once at creation, again with every change, and from private data.
		"id": schema.StringAttribute{
			Computed:      true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			Description:   "Kind and a hash of the name at creation.",
		},
		"revision": schema.Int64Attribute{Computed: true, Description: "Number of changes; unknown in every plan that changes something."},
		"note": schema.StringAttribute{
			Computed:      true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			Description:   "The private data; null after an import.",
		},

		// Required, validated, requires replacement.
		"name": schema.StringAttribute{Required: true, Validators: []validator.String{lengthBetween(1, 64)}},
		"kind": schema.StringAttribute{
			Optional:      true,
			Computed:      true,
			Default:       stringdefault.StaticString("plain"),
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplaceIf(hadValue, hadValueRule, hadValueRule)},
		},

		// Primitive kinds, some with a default.
		"flag":    schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(false)},
		"size":    schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(1)},
		"ratio":   schema.Float64Attribute{Optional: true},
		"precise": schema.NumberAttribute{Optional: true, Description: "May have more digits than a double can represent."},

		// Collections, an object, and a value whose type only the configuration determines.
		"tags":   schema.ListAttribute{Optional: true, ElementType: types.StringType},
		"labels": schema.SetAttribute{Optional: true, ElementType: types.StringType},
		"notes":  schema.MapAttribute{Optional: true, ElementType: types.StringType},
		"origin": schema.ObjectAttribute{
			Optional:       true,
			AttributeTypes: map[string]attr.Type{"host": types.StringType, "port": types.NumberType},
		},
		"anything": schema.DynamicAttribute{Optional: true},

		// Special kinds: semantic equality, sensitive, write-only, deprecated.
		"caseless": schema.StringAttribute{
			Optional:    true,
			CustomType:  caselessType{},
			Description: "Two spellings that differ only in case are equal.",
		},
		"secret":   schema.StringAttribute{Optional: true, Sensitive: true},
		"password": schema.StringAttribute{Optional: true, WriteOnly: true, Description: "In no plan and no state; the file contains its hash."},
		"password_version": schema.Int64Attribute{
			Optional:    true,
			Description: "Changed together with password, because a plan cannot show a change of a write-only value.",
		},
		"old_name": schema.StringAttribute{Optional: true, DeprecationMessage: "Use name."},

		// Nested attributes, in each nesting mode.
		"single": schema.SingleNestedAttribute{Optional: true, Attributes: nestedAttributes()},
		"items":  schema.ListNestedAttribute{Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: nestedAttributes()}},
		"entries": schema.MapNestedAttribute{
			Optional:     true,
			NestedObject: schema.NestedAttributeObject{Attributes: nestedAttributes()},
		},
		"members": schema.SetNestedAttribute{
			Optional: true,
			// No computed value in it, because the whole value of an element identifies it in a set.
			NestedObject: schema.NestedAttributeObject{
				Attributes: map[string]schema.Attribute{
					"key":   schema.StringAttribute{Required: true},
					"value": schema.StringAttribute{Optional: true},
				},
			},
		},
	},
	Blocks: map[string]schema.Block{
		"rule": schema.ListNestedBlock{
			NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{
					"port":    schema.Int64Attribute{Required: true},
					"comment": schema.StringAttribute{Optional: true},
				},
				Blocks: map[string]schema.Block{
					"match": schema.ListNestedBlock{
						NestedObject: schema.NestedBlockObject{
							Attributes: map[string]schema.Attribute{"pattern": schema.StringAttribute{Required: true}},
						},
					},
				},
			},
		},
		"access": schema.SetNestedBlock{
			NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{
					"role":  schema.StringAttribute{Required: true},
					"write": schema.BoolAttribute{Optional: true},
				},
			},
		},
		"limits": schema.SingleNestedBlock{
			Attributes: map[string]schema.Attribute{
				"cpu":    schema.Float64Attribute{Optional: true},
				"memory": schema.StringAttribute{Optional: true},
			},
		},
	},
}

const hadValueRule = "Another value replaces the record."

// hadValue requires replacement only if there was a kind: a moved or upgraded record has none, and gets its first kind by an update.
func hadValue(_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !req.StateValue.IsNull()
}

// nestedAttributes has a required, a defaulted and a computed attribute, so that a plan has known and unknown values below one attribute.
func nestedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"key":   schema.StringAttribute{Required: true},
		"value": schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("none")},
		"stamp": schema.StringAttribute{
			Computed:      true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
	}
}
