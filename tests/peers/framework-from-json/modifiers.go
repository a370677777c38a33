// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/dynamicplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float32planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int32planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/numberplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// modifiers returns the plan modifiers with the given names: useStateForUnknown, useNonNullStateForUnknown, requiresReplace,
// requiresReplaceIfConfigured; strings also have fixed and refuse.
func modifiers[T any](names []string, keep, keepNonNull, replace, replaceIfConfigured T, others map[string]T) []T {
	var picked []T
	for _, name := range names {
		switch name {
		case "useStateForUnknown":
			picked = append(picked, keep)
		case "useNonNullStateForUnknown":
			picked = append(picked, keepNonNull)
		case "requiresReplace":
			picked = append(picked, replace)
		case "requiresReplaceIfConfigured":
			picked = append(picked, replaceIfConfigured)
		default:
			other, ok := others[name]
			if !ok {
				panic("no plan modifier is called " + name)
			}
			picked = append(picked, other)
		}
	}
	return picked
}

func stringModifiers(names []string) []planmodifier.String {
	own := map[string]planmodifier.String{"fixed": fixedText{}, "refuse": refusedText{}}
	return modifiers(names, stringplanmodifier.UseStateForUnknown(), stringplanmodifier.UseNonNullStateForUnknown(),
		stringplanmodifier.RequiresReplace(), stringplanmodifier.RequiresReplaceIfConfigured(), own)
}

func boolModifiers(names []string) []planmodifier.Bool {
	return modifiers(names, boolplanmodifier.UseStateForUnknown(), boolplanmodifier.UseNonNullStateForUnknown(),
		boolplanmodifier.RequiresReplace(), boolplanmodifier.RequiresReplaceIfConfigured(), nil)
}

func int32Modifiers(names []string) []planmodifier.Int32 {
	return modifiers(names, int32planmodifier.UseStateForUnknown(), int32planmodifier.UseNonNullStateForUnknown(),
		int32planmodifier.RequiresReplace(), int32planmodifier.RequiresReplaceIfConfigured(), nil)
}

func int64Modifiers(names []string) []planmodifier.Int64 {
	return modifiers(names, int64planmodifier.UseStateForUnknown(), int64planmodifier.UseNonNullStateForUnknown(),
		int64planmodifier.RequiresReplace(), int64planmodifier.RequiresReplaceIfConfigured(), nil)
}

func float32Modifiers(names []string) []planmodifier.Float32 {
	return modifiers(names, float32planmodifier.UseStateForUnknown(), float32planmodifier.UseNonNullStateForUnknown(),
		float32planmodifier.RequiresReplace(), float32planmodifier.RequiresReplaceIfConfigured(), nil)
}

func float64Modifiers(names []string) []planmodifier.Float64 {
	return modifiers(names, float64planmodifier.UseStateForUnknown(), float64planmodifier.UseNonNullStateForUnknown(),
		float64planmodifier.RequiresReplace(), float64planmodifier.RequiresReplaceIfConfigured(), nil)
}

func numberModifiers(names []string) []planmodifier.Number {
	return modifiers(names, numberplanmodifier.UseStateForUnknown(), numberplanmodifier.UseNonNullStateForUnknown(),
		numberplanmodifier.RequiresReplace(), numberplanmodifier.RequiresReplaceIfConfigured(), nil)
}

func dynamicModifiers(names []string) []planmodifier.Dynamic {
	return modifiers(names, dynamicplanmodifier.UseStateForUnknown(), dynamicplanmodifier.UseNonNullStateForUnknown(),
		dynamicplanmodifier.RequiresReplace(), dynamicplanmodifier.RequiresReplaceIfConfigured(), nil)
}

func listModifiers(names []string) []planmodifier.List {
	return modifiers(names, listplanmodifier.UseStateForUnknown(), listplanmodifier.UseNonNullStateForUnknown(),
		listplanmodifier.RequiresReplace(), listplanmodifier.RequiresReplaceIfConfigured(), nil)
}

func setModifiers(names []string) []planmodifier.Set {
	return modifiers(names, setplanmodifier.UseStateForUnknown(), setplanmodifier.UseNonNullStateForUnknown(),
		setplanmodifier.RequiresReplace(), setplanmodifier.RequiresReplaceIfConfigured(), nil)
}

func mapModifiers(names []string) []planmodifier.Map {
	return modifiers(names, mapplanmodifier.UseStateForUnknown(), mapplanmodifier.UseNonNullStateForUnknown(),
		mapplanmodifier.RequiresReplace(), mapplanmodifier.RequiresReplaceIfConfigured(), nil)
}

func objectModifiers(names []string) []planmodifier.Object {
	return modifiers(names, objectplanmodifier.UseStateForUnknown(), objectplanmodifier.UseNonNullStateForUnknown(),
		objectplanmodifier.RequiresReplace(), objectplanmodifier.RequiresReplaceIfConfigured(), nil)
}

// fixedText plans a fixed text for an unknown value.
type fixedText struct{}

func (fixedText) Description(context.Context) string { return "is always fixed" }

func (m fixedText) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (fixedText) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.PlanValue.IsUnknown() && !req.ConfigValue.IsUnknown() {
		resp.PlanValue = types.StringValue("fixed")
	}
}

// refusedText fails for the text "refused".
type refusedText struct{}

func (refusedText) Description(context.Context) string { return "is never refused" }

func (m refusedText) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (refusedText) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.PlanValue.ValueString() == "refused" {
		resp.Diagnostics.AddAttributeError(req.Path, "Plan modifier failed", "It is refused.")
	}
}
