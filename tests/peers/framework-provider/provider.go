// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/metaschema"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type frameworkProvider struct {
	version string
}

// The framework finds optional interfaces by type assertion at run time; these assertions find a wrong signature at compile time.
var (
	_ provider.ProviderWithMetaSchema         = &frameworkProvider{}
	_ provider.ProviderWithValidateConfig     = &frameworkProvider{}
	_ provider.ProviderWithFunctions          = &frameworkProvider{}
	_ provider.ProviderWithEphemeralResources = &frameworkProvider{}
	_ provider.ProviderWithListResources      = &frameworkProvider{}
	_ provider.ProviderWithActions            = &frameworkProvider{}
)

func (p *frameworkProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "framework"
	resp.Version = p.version
}

type providerConfig struct {
	Directory types.String     `tfsdk:"directory"`
	Token     types.String     `tfsdk:"token"`
	Options   *providerOptions `tfsdk:"options"`
}

type providerOptions struct {
	Prefix types.String `tfsdk:"prefix"`
}

// Schema has a required string, a sensitive string, and a nested attribute, which only protocol 6 supports.
func (p *frameworkProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Keeps records as files, one per record.",
		Attributes: map[string]schema.Attribute{
			"directory": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Directory of the files; created if it does not exist.",
			},
			"token": schema.StringAttribute{
				Optional:    true,
				Sensitive:   true,
				Description: "Any text except the word wrong.",
			},
			"options": schema.SingleNestedAttribute{
				Optional: true,
				Attributes: map[string]schema.Attribute{
					"prefix": schema.StringAttribute{Optional: true, Description: "Begins the name of every file; no slash."},
				},
			},
		},
	}
}

// MetaSchema is the schema of a module's `terraform { provider_meta "framework" {} }`.
func (p *frameworkProvider) MetaSchema(_ context.Context, _ provider.MetaSchemaRequest, resp *provider.MetaSchemaResponse) {
	resp.Schema = metaschema.Schema{
		Attributes: map[string]metaschema.Attribute{
			"module": metaschema.StringAttribute{Optional: true, Description: "Name of the module; stored in the file of each record that it changes."},
		},
	}
}

// ValidateConfig reports an error about a nested value, so that the diagnostic's path has two steps.
func (p *frameworkProvider) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	var prefix types.String
	at := path.Root("options").AtName("prefix")
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, at, &prefix)...)
	if strings.Contains(prefix.ValueString(), "/") {
		resp.Diagnostics.AddAttributeError(at, "Invalid Prefix", "A prefix is part of a file name and cannot contain a slash.")
	}
}

// Configure reports errors that validation cannot find, and defers if the client allows it and the configuration is unknown.
func (p *frameworkProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var config providerConfig
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if config.Directory.IsUnknown() {
		if req.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
			return
		}
		resp.Diagnostics.AddAttributeError(path.Root("directory"), "Unknown Directory", "The directory must be known before anything can be planned.")
		return
	}
	if config.Token.ValueString() == "wrong" {
		resp.Diagnostics.AddAttributeError(path.Root("token"), "Invalid Token", "The token was refused.")
		return
	}
	if err := os.MkdirAll(config.Directory.ValueString(), 0o755); err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("directory"), "Invalid Directory", err.Error())
		return
	}
	files := &store{directory: config.Directory.ValueString(), terraformVersion: req.TerraformVersion}
	if config.Options != nil {
		files.prefix = config.Options.Prefix.ValueString()
	}
	resp.ResourceData = files
	resp.DataSourceData = files
	resp.EphemeralResourceData = files
	resp.ListResourceData = files
	resp.ActionData = files
}

func (p *frameworkProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return &record{} },
		func() resource.Resource { return &trouble{} },
	}
}

func (p *frameworkProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource { return &lookup{} }}
}

func (p *frameworkProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return &token{} }}
}

func (p *frameworkProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		func() function.Function { return joinFunction{} },
		func() function.Function { return describeFunction{} },
		func() function.Function { return failFunction{} },
		func() function.Function { return dynamicFunction{} },
	}
}

func (p *frameworkProvider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{func() list.ListResource { return &recordList{} }}
}

func (p *frameworkProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return &touch{} }}
}
