// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// lookup reads a record by its id; it returns an error, not null, for an id that does not exist.
type lookup struct {
	files *store
}

var _ datasource.DataSourceWithConfigure = &lookup{}

type lookupModel struct {
	ID       types.String `tfsdk:"id"`
	Name     types.String `tfsdk:"name"`
	Kind     types.String `tfsdk:"kind"`
	Revision types.Int64  `tfsdk:"revision"`
	Tags     types.List   `tfsdk:"tags"`
	Secret   types.String `tfsdk:"secret"`
}

func (d *lookup) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_lookup"
}

func (d *lookup) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":       schema.StringAttribute{Required: true},
			"name":     schema.StringAttribute{Computed: true},
			"kind":     schema.StringAttribute{Computed: true},
			"revision": schema.Int64Attribute{Computed: true},
			"tags":     schema.ListAttribute{Computed: true, ElementType: types.StringType},
			"secret":   schema.StringAttribute{Computed: true, Sensitive: true},
		},
	}
}

func (d *lookup) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.files = storeOf(req.ProviderData, &resp.Diagnostics)
}

func (d *lookup) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var id types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("id"), &id)...)
	if resp.Diagnostics.HasError() {
		return
	}
	found, err := d.files.read(id.ValueString())
	if errors.Is(err, fs.ErrNotExist) {
		resp.Diagnostics.AddAttributeError(path.Root("id"), "Record Not Found", "There is no record "+id.ValueString()+".")
		return
	}
	if err != nil {
		resp.Diagnostics.AddError("Unreadable Record", err.Error())
		return
	}
	value, err := found.decode(recordSchema.Type().TerraformType(ctx))
	if err != nil {
		resp.Diagnostics.AddError("Unreadable Record", err.Error())
		return
	}
	of := tfsdk.State{Raw: value, Schema: recordSchema}
	model := lookupModel{ID: id}
	resp.Diagnostics.Append(of.GetAttribute(ctx, path.Root("name"), &model.Name)...)
	resp.Diagnostics.Append(of.GetAttribute(ctx, path.Root("kind"), &model.Kind)...)
	resp.Diagnostics.Append(of.GetAttribute(ctx, path.Root("revision"), &model.Revision)...)
	resp.Diagnostics.Append(of.GetAttribute(ctx, path.Root("tags"), &model.Tags)...)
	resp.Diagnostics.Append(of.GetAttribute(ctx, path.Root("secret"), &model.Secret)...)
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}
