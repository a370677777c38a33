// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// touch is an action: it updates a record's file several times, reports progress each time, and changes no state.
type touch struct {
	files *store
}

var _ action.ActionWithConfigure = &touch{}

type touchModel struct {
	ID    types.String `tfsdk:"id"`
	Times types.Int64  `tfsdk:"times"`
}

func (a *touch) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_touch"
}

func (a *touch) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id":    schema.StringAttribute{Required: true},
			"times": schema.Int64Attribute{Optional: true, Description: "Number of updates; 1 if not set."},
		},
	}
}

func (a *touch) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.files = storeOf(req.ProviderData, &resp.Diagnostics)
}

func (a *touch) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var model touchModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	id, times := model.ID.ValueString(), int64(1)
	if !model.Times.IsNull() {
		times = model.Times.ValueInt64()
	}
	for i := range times {
		if ctx.Err() != nil {
			return // The consumer cancelled the stream.
		}
		content, err := a.files.read(id)
		if err == nil {
			content.Touched++
			err = a.files.write(id, content)
		}
		if err != nil {
			resp.Diagnostics.AddAttributeError(path.Root("id"), "Record Not Touched", err.Error())
			return
		}
		resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf("touched %s, %d of %d", id, i+1, times)})
	}
}
