// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// token is an ephemeral resource. Each of its calls appends a line to the file `token-<name>.log`; its state between calls is private
// data, which the host carries.
type token struct {
	files *store
}

var (
	_ ephemeral.EphemeralResourceWithConfigure = &token{}
	_ ephemeral.EphemeralResourceWithRenew     = &token{}
	_ ephemeral.EphemeralResourceWithClose     = &token{}
)

type tokenModel struct {
	Name       types.String  `tfsdk:"name"`
	TTLSeconds types.Float64 `tfsdk:"ttl_seconds"`
	Value      types.String  `tfsdk:"value"`
}

// tokenMemory is the private data.
type tokenMemory struct {
	Name       string  `json:"name"`
	TTLSeconds float64 `json:"ttl_seconds"`
	Renewals   int     `json:"renewals"`
}

const tokenKey = "token"

// tokenPrivate has the methods for private data that Open, Renew and Close share; the framework does not export its own type.
type tokenPrivate interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func (e *token) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_token"
}

func (e *token) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"name":        schema.StringAttribute{Required: true},
			"ttl_seconds": schema.Float64Attribute{Optional: true, Description: "Time after which the host must renew it; never if not set."},
			"value":       schema.StringAttribute{Computed: true, Sensitive: true},
		},
	}
}

func (e *token) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	e.files = storeOf(req.ProviderData, &resp.Diagnostics)
}

func (e *token) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model tokenModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	memory := tokenMemory{Name: model.Name.ValueString(), TTLSeconds: model.TTLSeconds.ValueFloat64()}
	model.Value = types.StringValue("token of " + memory.Name)
	resp.Diagnostics.Append(resp.Result.Set(ctx, model)...)
	resp.RenewAt = memory.renewAt()
	e.savePrivate(ctx, memory, "opened", resp.Private, &resp.Diagnostics)
}

func (e *token) Renew(ctx context.Context, req ephemeral.RenewRequest, resp *ephemeral.RenewResponse) {
	memory := readPrivate(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	memory.Renewals++
	resp.RenewAt = memory.renewAt()
	e.savePrivate(ctx, memory, fmt.Sprintf("renewed %d", memory.Renewals), resp.Private, &resp.Diagnostics)
}

func (e *token) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	memory := readPrivate(ctx, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := e.files.appendLine("token-"+memory.Name+".log", fmt.Sprintf("closed after %d", memory.Renewals)); err != nil {
		resp.Diagnostics.AddError("Token Not Closed", err.Error())
	}
}

func (m tokenMemory) renewAt() time.Time {
	if m.TTLSeconds == 0 {
		return time.Time{}
	}
	return time.Now().Add(time.Duration(m.TTLSeconds * float64(time.Second)))
}

func (e *token) savePrivate(ctx context.Context, memory tokenMemory, event string, private tokenPrivate, diagnostics *diag.Diagnostics) {
	text, err := json.Marshal(memory)
	if err == nil {
		diagnostics.Append(private.SetKey(ctx, tokenKey, text)...)
		err = e.files.appendLine("token-"+memory.Name+".log", event)
	}
	if err != nil {
		diagnostics.AddError("Token Not Saved", err.Error())
	}
}

func readPrivate(ctx context.Context, private tokenPrivate, diagnostics *diag.Diagnostics) tokenMemory {
	var memory tokenMemory
	text, problems := private.GetKey(ctx, tokenKey)
	diagnostics.Append(problems...)
	if err := json.Unmarshal(text, &memory); err != nil {
		diagnostics.AddError("Token Forgotten", "The host did not return the private data: "+err.Error())
	}
	return memory
}
