// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

type declaredProvider struct {
	declared *declaration
}

var _ provider.ProviderWithConfigValidators = &declaredProvider{}

func (p *declaredProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = p.declared.Name
	resp.Version = version
}

func (p *declaredProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	attributes, blocks := map[string]schema.Attribute{}, map[string]schema.Block{}
	for name, attribute := range p.declared.Config.attributes() {
		attributes[name] = attribute
	}
	for name, block := range p.declared.Config.blocks() {
		blocks[name] = block
	}
	resp.Schema = schema.Schema{Attributes: attributes, Blocks: blocks, DeprecationMessage: p.declared.Config.Deprecated}
}

func (p *declaredProvider) ConfigValidators(context.Context) []provider.ConfigValidator {
	var all []provider.ConfigValidator
	for _, one := range p.declared.Config.configValidators() {
		all = append(all, one.(provider.ConfigValidator))
	}
	return all
}

func (p *declaredProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (p *declaredProvider) Resources(context.Context) []func() resource.Resource {
	var all []func() resource.Resource
	for _, declared := range p.declared.Resources {
		all = append(all, func() resource.Resource {
			plain := &declaredResource{provider: p.declared.Name, declared: declared}
			if len(declared.Identity) > 0 {
				return &identifiedResource{plain}
			}
			return plain
		})
	}
	return all
}

func (p *declaredProvider) DataSources(context.Context) []func() datasource.DataSource {
	var all []func() datasource.DataSource
	for _, declared := range p.declared.DataSources {
		all = append(all, func() datasource.DataSource {
			return &declaredDataSource{provider: p.declared.Name, declared: declared}
		})
	}
	return all
}

// declaredDataSource reads no remote system: its computed values are generated.
type declaredDataSource struct {
	provider string
	declared *dataDeclaration
}

var _ datasource.DataSourceWithConfigValidators = &declaredDataSource{}

func (d *declaredDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = d.provider + "_" + d.declared.Name
}

func (d *declaredDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes, blocks := map[string]dataschema.Attribute{}, map[string]dataschema.Block{}
	for name, attribute := range d.declared.attributes() {
		attributes[name] = attribute
	}
	for name, block := range d.declared.blocks() {
		blocks[name] = block
	}
	resp.Schema = dataschema.Schema{Attributes: attributes, Blocks: blocks, DeprecationMessage: d.declared.Deprecated}
}

func (d *declaredDataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	var all []datasource.ConfigValidator
	for _, one := range d.declared.configValidators() {
		all = append(all, one.(datasource.ConfigValidator))
	}
	return all
}

func (d *declaredDataSource) Read(_ context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	switch textOf(req.Config.Raw, "mode") {
	case "throw":
		resp.Diagnostics.AddError("Cannot read "+d.provider+"_"+d.declared.Name, "It is asked to.")
	case "warn":
		resp.Diagnostics.AddWarning("Careful", "It is asked to be.")
		fallthrough
	default:
		resp.State.Raw = d.declared.read(req.Config.Raw)
	}
}

// read returns the configuration with generated values for computed attributes that are null.
func (s *schemaDeclaration) read(config tftypes.Value) tftypes.Value {
	members := membersOf(config)
	for name, attribute := range s.Attributes {
		if attribute.computed() && members[name].IsNull() {
			members[name] = attribute.generate(name, "read")
		}
	}
	return tftypes.NewValue(config.Type(), members)
}
