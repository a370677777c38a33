// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// recordList lists the records, of all kinds or of one. It creates each result when the host reads it, so that the work ends when the
// host stops reading or cancels the call.
type recordList struct {
	files *store
}

var _ list.ListResourceWithConfigure = &recordList{}

func (l *recordList) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = recordType
}

func (l *recordList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{"kind": schema.StringAttribute{Optional: true, Description: "Only records of this kind."}},
	}
}

func (l *recordList) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.files = storeOf(req.ProviderData, &resp.Diagnostics)
}

func (l *recordList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var kind types.String
	if problems := req.Config.GetAttribute(ctx, path.Root("kind"), &kind); problems.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(problems)
		return
	}
	ids, err := l.files.ids()
	if err != nil {
		stream.Results = list.ListResultsStreamDiagnostics(diag.Diagnostics{diag.NewErrorDiagnostic("Records Not Listed", err.Error())})
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		var count int64
		for _, id := range ids {
			result, matches := l.result(ctx, req, id, kind)
			if !matches {
				continue
			}
			if count == req.Limit && req.Limit > 0 || !push(result) {
				return
			}
			count++
		}
	}
}

// result returns the result for one file, and false if the file is not a record or has another kind. A record that cannot be read is a result with an error.
func (l *recordList) result(ctx context.Context, req list.ListRequest, id string, wantedKind types.String) (list.ListResult, bool) {
	result := req.NewListResult(ctx)
	result.DisplayName = id
	found, err := l.files.read(id)
	if err == nil && found.Type != recordType {
		return result, false
	}
	if err == nil {
		result.Resource.Raw, err = found.decode(req.ResourceSchema.Type().TerraformType(ctx))
	}
	if err != nil {
		result.Diagnostics.AddError("Unreadable Record", err.Error())
		return result, true
	}
	var name, kind types.String
	result.Diagnostics.Append(result.Resource.GetAttribute(ctx, path.Root("name"), &name)...)
	result.Diagnostics.Append(result.Resource.GetAttribute(ctx, path.Root("kind"), &kind)...)
	result.Diagnostics.Append(identify(ctx, result.Identity, id)...)
	result.DisplayName = name.ValueString()
	if !req.IncludeResource {
		result.Resource = nil
	}
	return result, wantedKind.IsNull() || wantedKind.Equal(kind)
}
