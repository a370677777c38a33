// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
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

// measuredAddress is the source address of the measured provider.
const measuredAddress = "registry.terraform.io/tenon/bench"

// measuredProvider is compared with benchmarks/measured-provider in benchmarks: it has the same two resources, which only compute, so
// that the framework's own time is measured.
type measuredProvider struct{}

func (measuredProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "bench"
}

func (measuredProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (measuredProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (measuredProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (measuredProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return noteResource{} },
		func() resource.Resource { return wideResource{} },
	}
}

// keepState returns the plan modifiers of a computed attribute that never changes.
func keepState() []planmodifier.String {
	return []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
}

// noteResource is a small resource with seven attributes.
type noteResource struct{}

type noteModel struct {
	ID       types.String `tfsdk:"id"`
	Title    types.String `tfsdk:"title"`
	Body     types.String `tfsdk:"body"`
	Tags     types.Map    `tfsdk:"tags"`
	Pinned   types.Bool   `tfsdk:"pinned"`
	Priority types.Int64  `tfsdk:"priority"`
	Revision types.Int64  `tfsdk:"revision"`
}

func (noteResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "bench_note"
}

func (noteResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":       schema.StringAttribute{Computed: true, PlanModifiers: keepState()},
			"title":    schema.StringAttribute{Required: true, Validators: []validator.String{lengthBetween(1, 80)}},
			"body":     schema.StringAttribute{Optional: true},
			"tags":     schema.MapAttribute{Optional: true, ElementType: types.StringType},
			"pinned":   schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(false)},
			"priority": schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(0)},
			"revision": schema.Int64Attribute{Computed: true},
		},
	}
}

func (noteResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model noteModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	model.ID = types.StringValue("note-" + model.Title.ValueString())
	model.Revision = types.Int64Value(1)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func (noteResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model noteModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func (noteResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model, before noteModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &before)...)
	model.Revision = types.Int64Value(before.Revision.ValueInt64() + 1)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func (noteResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// wideResource has sixty attributes, named by kind and number; wideKinds has the number of each kind.
type wideResource struct{}

var wideKinds = []struct {
	prefix    string
	count     int
	attribute schema.Attribute
	value     any
}{
	{"text", 20, schema.StringAttribute{Optional: true}, types.String{}},
	{"default", 10, schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("as usual")}, types.String{}},
	{"known", 10, schema.StringAttribute{Computed: true, PlanModifiers: keepState()}, types.String{}},
	{"count", 10, schema.Int64Attribute{Optional: true}, types.Int64{}},
	{"flag", 5, schema.BoolAttribute{Optional: true}, types.Bool{}},
	{"list", 3, schema.ListAttribute{Optional: true, ElementType: types.StringType}, types.List{}},
	{"map", 2, schema.MapAttribute{Optional: true, ElementType: types.StringType}, types.Map{}},
}

// wideSchema and wideModel are created from the same table.
var wideSchema, wideModel = func() (schema.Schema, reflect.Type) {
	attributes := map[string]schema.Attribute{}
	var fields []reflect.StructField
	for _, kind := range wideKinds {
		for number := range kind.count {
			name := fmt.Sprintf("%s_%02d", kind.prefix, number)
			attributes[name] = kind.attribute
			tag := reflect.StructTag(fmt.Sprintf("tfsdk:%q", name))
			fields = append(fields, reflect.StructField{Name: "F_" + name, Type: reflect.TypeOf(kind.value), Tag: tag})
		}
	}
	return schema.Schema{Attributes: attributes}, reflect.StructOf(fields)
}()

func (wideResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "bench_wide60"
}

func (wideResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = wideSchema
}

// changeModel reads a value into a model, changes it, and writes it back, as a provider's author would.
func changeModel(get, set func(ctx context.Context, model any) diag.Diagnostics, ctx context.Context, change func(model reflect.Value)) diag.Diagnostics {
	model := reflect.New(wideModel)
	diagnostics := get(ctx, model.Interface())
	change(model.Elem())
	diagnostics.Append(set(ctx, model.Interface())...)
	return diagnostics
}

func fillUnknown(model reflect.Value) {
	for field := range model.NumField() {
		if text, ok := model.Field(field).Interface().(types.String); ok && text.IsUnknown() {
			model.Field(field).Set(reflect.ValueOf(types.StringValue("computed")))
		}
	}
}

func (wideResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	set := func(ctx context.Context, model any) diag.Diagnostics { return resp.State.Set(ctx, model) }
	resp.Diagnostics.Append(changeModel(req.Plan.Get, set, ctx, fillUnknown)...)
}

func (wideResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	set := func(ctx context.Context, model any) diag.Diagnostics { return resp.State.Set(ctx, model) }
	resp.Diagnostics.Append(changeModel(req.State.Get, set, ctx, func(reflect.Value) {})...)
}

func (wideResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	set := func(ctx context.Context, model any) diag.Diagnostics { return resp.State.Set(ctx, model) }
	resp.Diagnostics.Append(changeModel(req.Plan.Get, set, ctx, fillUnknown)...)
}

func (wideResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
