// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// record is the resource with every feature: record_schema.go has its schema, record_origin.go its import, upgrades and moves. Its
// code is short because it copies whole values between the plan, the file and the state.
type record struct {
	files *store
}

var (
	_ resource.ResourceWithConfigure       = &record{}
	_ resource.ResourceWithModifyPlan      = &record{}
	_ resource.ResourceWithIdentity        = &record{}
	_ resource.ResourceWithUpgradeIdentity = &record{}
	_ resource.ResourceWithImportState     = &record{}
	_ resource.ResourceWithMoveState       = &record{}
	_ resource.ResourceWithUpgradeState    = &record{}
)

func (r *record) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = recordType
}

func (r *record) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.files = storeOf(req.ProviderData, &resp.Diagnostics)
}

const recordType = "framework_record"

// privateNote is stored in private data at creation. It is in no configuration and no schema, and a host must not lose it.
const privateKey, privateNote = "note", `{"kept":"since creation"}`

// ModifyPlan warns before a protected record is destroyed: a destroy plan may have diagnostics, and only a host that plans the
// destruction receives them.
func (r *record) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if !req.Plan.Raw.IsNull() {
		return
	}
	var flag types.Bool
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("flag"), &flag)...)
	if flag.ValueBool() {
		resp.Diagnostics.AddAttributeWarning(path.Root("flag"), "Flagged Record", "A record with a raised flag is about to be deleted.")
	}
}

func (r *record) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var name, kind types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("name"), &name)...)
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("kind"), &kind)...)
	if resp.Diagnostics.HasError() {
		return
	}
	// The same configuration always gets the same id, so that a test can predict it.
	id := kind.ValueString() + "-" + hash(name.ValueString())[:8]
	if r.files.exists(id) {
		resp.Diagnostics.AddAttributeError(path.Root("name"), "Record Already Exists", "There is a record "+id+" for this kind and name.")
		return
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, privateKey, []byte(privateNote))...)
	computed := map[string]any{"id": id, "revision": int64(1), "note": privateNote, "stamp": "made in revision 1"}
	resp.State.Raw = r.save(ctx, id, req.Plan.Raw, computed, req.Config, req.ProviderMeta, &resp.Diagnostics)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, id)...)
}

func (r *record) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var id types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if resp.Diagnostics.HasError() {
		return
	}
	found, err := r.files.read(id.ValueString())
	if errors.Is(err, fs.ErrNotExist) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.AddError("Unreadable Record", err.Error())
		return
	}
	state, err := found.decode(resp.State.Raw.Type())
	if err != nil {
		resp.Diagnostics.AddError("Unreadable Record", r.files.path(id.ValueString())+": "+err.Error())
		return
	}
	resp.State.Raw = state

	// The note shows the private data that the host returned; after an import there is none.
	note, diagnostics := req.Private.GetKey(ctx, privateKey)
	resp.Diagnostics.Append(diagnostics...)
	text := types.StringNull()
	if note != nil {
		text = types.StringValue(string(note))
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("note"), text)...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, id.ValueString())...)
}

func (r *record) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var id, note types.String
	var revision types.Int64
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("note"), &note)...)
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("revision"), &revision)...)
	if resp.Diagnostics.HasError() {
		return
	}
	next := revision.ValueInt64() + 1
	computed := map[string]any{"id": id.ValueString(), "revision": next, "note": note.ValueStringPointer(), "stamp": "made by an update"}
	resp.State.Raw = r.save(ctx, id.ValueString(), req.Plan.Raw, computed, req.Config, req.ProviderMeta, &resp.Diagnostics)
}

func (r *record) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var id types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if err := r.files.remove(id.ValueString()); err != nil {
		resp.Diagnostics.AddError("Record Not Deleted", err.Error())
	}
}

// save replaces the unknown values of the plan, writes the file, and sets the new state.
func (r *record) save(
	ctx context.Context, id string, planned tftypes.Value, computed map[string]any, config, meta tfsdk.Config, diagnostics *diag.Diagnostics,
) tftypes.Value {
	state, err := withComputed(planned, computed)
	if err != nil {
		diagnostics.AddError("Record Not Saved", err.Error())
		return planned
	}
	saved := tfsdk.State{Raw: state, Schema: recordSchema}
	// The record is stored in lower case; the framework restores the configured spelling, because both are semantically equal.
	var spelling caselessValue
	diagnostics.Append(saved.GetAttribute(ctx, path.Root("caseless"), &spelling)...)
	if !spelling.IsNull() {
		lower := caselessValue{StringValue: types.StringValue(strings.ToLower(spelling.ValueString()))}
		diagnostics.Append(saved.SetAttribute(ctx, path.Root("caseless"), lower)...)
	}

	content := &file{}
	if before, err := r.files.read(id); err == nil {
		*content = *before
	}
	content.Type = recordType
	// Only the configuration has the value of a write-only attribute.
	var password types.String
	diagnostics.Append(config.GetAttribute(ctx, path.Root("password"), &password)...)
	if !password.IsNull() {
		content.PasswordSha256 = hash(password.ValueString())
	}
	var module types.String
	diagnostics.Append(meta.GetAttribute(ctx, path.Root("module"), &module)...)
	content.Module = module.ValueString()

	if content.State, err = encode(saved.Raw, saved.Raw.Type()); err == nil {
		err = r.files.write(id, content)
	}
	if err != nil {
		diagnostics.AddError("Record Not Saved", err.Error())
	}
	return saved.Raw
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
