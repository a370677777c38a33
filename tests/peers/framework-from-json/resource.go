// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// declaredResource has no remote system. Its attribute `mode` selects the behaviour of each call; see the table in README.md.
type declaredResource struct {
	provider string
	declared *resourceDeclaration
}

// identifiedResource is a resource with an identity: the framework detects identities by type assertion.
type identifiedResource struct{ *declaredResource }

var (
	_ resource.ResourceWithConfigValidators = &declaredResource{}
	_ resource.ResourceWithValidateConfig   = &declaredResource{}
	_ resource.ResourceWithModifyPlan       = &declaredResource{}
	_ resource.ResourceWithImportState      = &declaredResource{}
	_ resource.ResourceWithUpgradeState     = &declaredResource{}
	_ resource.ResourceWithMoveState        = &declaredResource{}
	_ resource.ResourceWithIdentity         = &identifiedResource{}
)

func (r *declaredResource) typeName() string { return r.provider + "_" + r.declared.Name }

func (r *declaredResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.typeName()
	resp.ResourceBehavior.MutableIdentity = r.declared.MutableIdentity
}

func (r *declaredResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Attributes: r.declared.attributes(), Blocks: r.declared.blocks(), Version: r.declared.Version, DeprecationMessage: r.declared.Deprecated,
	}
}

func (r *identifiedResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = r.declared.identitySchema()
}

func (r *declaredResource) ConfigValidators(context.Context) []resource.ConfigValidator {
	return r.declared.configValidators()
}

func (r *declaredResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.declared.Validates && textOf(req.Config.Raw, "mode") == "invalid" {
		resp.Diagnostics.AddAttributeError(path.Root("mode"), "Refused", "It is asked to be.")
	}
}

func (r *declaredResource) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if !r.declared.Plans {
		return
	}
	if req.Plan.Raw.IsNull() {
		if textOf(req.State.Raw, "mode") == "keep" {
			resp.Diagnostics.AddAttributeError(path.Root("mode"), "Refused", "It is asked to be kept.")
		}
		return
	}
	switch textOf(req.Plan.Raw, "mode") {
	case "refuse":
		resp.Diagnostics.AddAttributeError(path.Root("mode"), "Refused", "It is asked to be.")
	case "caution":
		resp.Diagnostics.AddWarning("Careful", "It is asked to be.")
	case "replace":
		if !req.State.Raw.IsNull() {
			resp.RequiresReplace = append(resp.RequiresReplace, path.Root("mode"))
		}
	case "set":
		resp.Plan.Raw = withMember(req.Plan.Raw, "trace", tftypes.NewValue(tftypes.String, "planned"))
	}
}

// identify sets the identity from the attributes of the same names.
func (r *declaredResource) identify(identity *tfsdk.ResourceIdentity, state tftypes.Value) {
	if identity == nil || state.IsNull() {
		return
	}
	wire := identity.Schema.Type().TerraformType(context.Background())
	members := map[string]tftypes.Value{}
	for name := range r.declared.Identity {
		members[name] = membersOf(state)[name]
	}
	identity.Raw = tftypes.NewValue(wire, members)
}

func (r *declaredResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if textOf(req.Plan.Raw, "mode") == "private" {
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, "made", []byte(`{"by":"create"}`))...)
	}
	if state, save := r.apply("create", req.Plan.Raw, &resp.Diagnostics); save {
		resp.State.Raw = state
		r.identify(resp.Identity, state)
	}
}

func (r *declaredResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if textOf(req.Plan.Raw, "mode") == "private" {
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, "made", []byte(`{"by":"update"}`))...)
	}
	if state, save := r.apply("update", req.Plan.Raw, &resp.Diagnostics); save {
		resp.State.Raw = state
		r.identify(resp.Identity, state)
	}
}

// apply returns the state that results from a plan, and whether it is to be saved.
func (r *declaredResource) apply(occasion string, plan tftypes.Value, diagnostics *diag.Diagnostics) (tftypes.Value, bool) {
	state := r.declared.fillUnknown(plan, occasion)
	switch textOf(plan, "mode") {
	case "throw":
		diagnostics.AddError("Cannot "+occasion+" "+r.typeName(), "It is asked to fail.")
		return state, false
	case "half":
		diagnostics.AddError("Cannot "+occasion+" "+r.typeName(), "It is asked to fail half way.")
	case "error":
		diagnostics.AddAttributeError(path.Root("mode"), "Refused", "It is asked to be.")
	case "warn":
		diagnostics.AddWarning("Careful", "It is asked to be.")
	case "spell":
		state = r.declared.respell(state)
	}
	return state, true
}

func (r *declaredResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state := req.State.Raw
	switch textOf(state, "mode") {
	case "throw":
		resp.Diagnostics.AddError("Cannot read "+r.typeName(), "It is asked to fail.")
		return
	case "gone":
		resp.State.RemoveResource(ctx)
		return
	case "warn":
		resp.Diagnostics.AddWarning("Careful", "It is asked to be.")
	case "drift":
		state = r.declared.drift(state)
	case "spell":
		state = r.declared.respell(state)
	case "private":
		stored, diagnostics := req.Private.GetKey(ctx, "made")
		resp.Diagnostics.Append(diagnostics...)
		trace := "none"
		if stored != nil {
			var plain map[string]string
			must(json.Unmarshal(stored, &plain))
			trace = plain["by"]
		}
		state = withMember(state, "trace", tftypes.NewValue(tftypes.String, trace))
	}
	resp.State.Raw = state
	r.identify(resp.Identity, state)
}

func (r *declaredResource) Delete(_ context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	switch textOf(req.State.Raw, "mode") {
	case "throw":
		resp.Diagnostics.AddError("Cannot delete "+r.typeName(), "It is asked to fail.")
	case "warn":
		resp.Diagnostics.AddWarning("Careful", "It is asked to be.")
	}
}

func (r *declaredResource) ImportState(_ context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	members := membersOf(resp.State.Raw)
	identity := map[string]tftypes.Value{}
	if req.Identity != nil && !req.Identity.Raw.IsNull() && req.ID == "" {
		identity = membersOf(req.Identity.Raw)
	}
	if req.ID == "throw" && r.declared.ImportedBy == "" {
		resp.Diagnostics.AddError("Cannot import "+r.typeName(), "It is asked to fail.")
		return
	}
	if r.declared.ImportedBy == "" {
		state := r.declared.complete(identity, "import"+req.ID)
		resp.State.Raw = state
		r.identify(resp.Identity, state)
		return
	}
	for name, value := range identity {
		members[name] = value
	}
	if len(identity) == 0 {
		members[r.declared.ImportedBy] = tftypes.NewValue(tftypes.String, req.ID)
	}
	for name, block := range r.declared.Blocks {
		if block.Nesting != "single" {
			members[name] = tftypes.NewValue(repeatedType(block.Nesting, block.Body.wireType()), []tftypes.Value{})
		}
	}
	resp.State.Raw = tftypes.NewValue(resp.State.Raw.Type(), members)
}

func (r *declaredResource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	all := map[int64]resource.StateUpgrader{}
	for version, attributes := range r.declared.Earlier {
		prior := &schemaDeclaration{Attributes: attributes}
		priorSchema := schema.Schema{Attributes: prior.attributes(), Version: int64(version)}
		all[int64(version)] = resource.StateUpgrader{
			PriorSchema: &priorSchema,
			StateUpgrader: func(_ context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
				if textOf(req.State.Raw, "mode") == "throw" {
					resp.Diagnostics.AddError("Cannot upgrade the state of "+r.typeName(), "It is asked to fail.")
					return
				}
				resp.State.Raw = r.declared.complete(membersOf(req.State.Raw), "upgrade")
			},
		}
	}
	return all
}

func (r *declaredResource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{
		StateMover: func(_ context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
			if req.SourceTypeName != "other_thing" {
				return
			}
			var source struct {
				Name string `json:"name"`
			}
			must(json.Unmarshal(req.SourceRawState.JSON, &source))
			if source.Name == "throw" {
				resp.Diagnostics.AddError("Cannot move state to "+r.typeName(), "It is asked to fail.")
				return
			}
			state := r.declared.generate("move" + source.Name)
			resp.TargetState.Raw = state
			r.identify(resp.TargetIdentity, state)
		},
	}}
}
