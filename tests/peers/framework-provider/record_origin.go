// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A record's state comes from its create, from an import by id or by identity, from state of version 0, or from state of another type;
// all but the first are in this file.

func (r *record) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Version: 1,
		Attributes: map[string]identityschema.Attribute{
			"id":          identityschema.StringAttribute{RequiredForImport: true, Description: "The record's id."},
			"fingerprint": identityschema.StringAttribute{OptionalForImport: true, Description: "The part of the id after the kind."},
		},
	}
}

// identify sets an identity, which never changes during a record's life; for a core without support for identities it is nil.
func identify(ctx context.Context, identity *tfsdk.ResourceIdentity, id string) diag.Diagnostics {
	if identity == nil {
		return nil
	}
	diagnostics := identity.SetAttribute(ctx, path.Root("id"), id)
	diagnostics.Append(identity.SetAttribute(ctx, path.Root("fingerprint"), id[strings.LastIndex(id, "-")+1:])...)
	return diagnostics
}

// UpgradeIdentity upgrades version 0, which called the id record_id and had no fingerprint.
func (r *record) UpgradeIdentity(context.Context) map[int64]resource.IdentityUpgrader {
	return map[int64]resource.IdentityUpgrader{
		0: {
			PriorSchema: &identityschema.Schema{
				Attributes: map[string]identityschema.Attribute{"record_id": identityschema.StringAttribute{RequiredForImport: true}},
			},
			IdentityUpgrader: func(ctx context.Context, req resource.UpgradeIdentityRequest, resp *resource.UpgradeIdentityResponse) {
				var id types.String
				resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root("record_id"), &id)...)
				// An upgraded identity, like an upgraded state, starts as a nil value without a type.
				resp.Identity.Raw = tftypes.NewValue(resp.Identity.Schema.Type().TerraformType(ctx), nil)
				resp.Diagnostics.Append(identify(ctx, resp.Identity, id.ValueString())...)
			},
		},
	}
}

// ImportState takes the id from the text or from the identity; the following read sets the other attributes.
func (r *record) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("id"), path.Root("id"), req, resp)
}

// UpgradeState upgrades version 0, which called the name title and stored the size as text.
func (r *record) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{
		0: {
			PriorSchema: &schema.Schema{
				Attributes: map[string]schema.Attribute{
					"id":    schema.StringAttribute{Computed: true},
					"title": schema.StringAttribute{Required: true},
					"size":  schema.StringAttribute{Optional: true},
				},
			},
			StateUpgrader: func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
				var id, title, size types.String
				resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
				resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("title"), &title)...)
				resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("size"), &size)...)
				number := types.Int64Null()
				if !size.IsNull() {
					parsed, err := strconv.ParseInt(size.ValueString(), 10, 64)
					if err != nil {
						resp.Diagnostics.AddAttributeError(path.Root("size"), "Invalid Size", err.Error())
						return
					}
					number = types.Int64Value(parsed)
				}
				resp.State.Raw = tftypes.NewValue(recordSchema.Type().TerraformType(ctx), nil)
				resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
				resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("name"), title)...)
				resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("size"), number)...)
			},
		},
	}
}

// MoveState turns a framework_trouble into a record, and takes over its file: both have an id and a name.
func (r *record) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{
		{
			SourceSchema: &troubleSchema,
			StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
				// A mover returns without a state for a source that it does not handle; if no mover returns one, the framework reports an error.
				if req.SourceTypeName != troubleType || req.SourceProviderAddress != address || req.SourceState == nil {
					return
				}
				var id, name types.String
				resp.Diagnostics.Append(req.SourceState.GetAttribute(ctx, path.Root("id"), &id)...)
				resp.Diagnostics.Append(req.SourceState.GetAttribute(ctx, path.Root("name"), &name)...)
				resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("id"), id)...)
				resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("name"), name)...)
				resp.Diagnostics.Append(resp.TargetPrivate.SetKey(ctx, privateKey, []byte(`{"kept":"since the move"}`))...)
			},
		},
	}
}
