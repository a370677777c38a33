// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/opentofu/opentofu/internal/addrs"
	backendInit "github.com/opentofu/opentofu/internal/backend/init"
	"github.com/opentofu/opentofu/internal/builtin/providers/tf"
	"github.com/opentofu/opentofu/internal/configs/configschema"
	"github.com/opentofu/opentofu/internal/encryption"
	"github.com/opentofu/opentofu/internal/lang/marks"
	"github.com/opentofu/opentofu/internal/providers"
	"github.com/opentofu/opentofu/internal/tfdiags"
)

// The provider terraform.io/builtin/terraform, as "builtin.<call>".
func init() {
	backendInit.Init(nil)
	provider := tf.NewProvider().(*tf.Provider)
	ctx := context.Background()
	operations["builtin.schema"] = operation{run: func([]any) (any, error) {
		schemas := provider.GetProviderSchema(ctx)
		functions := []any{}
		for _, name := range slices.Sorted(maps.Keys(schemas.Functions)) {
			functions = append(functions, providerFunctionNotation(name, schemas.Functions[name]))
		}
		return record{
			{"resource", blockNotation(schemas.ResourceTypes["terraform_data"].Block)},
			{"data", blockNotation(schemas.DataSources["terraform_remote_state"].Block)},
			{"functions", functions},
		}, nil
	}}
	one("builtin.validate", aValue, func(config cty.Value) any {
		response := provider.ValidateResourceConfig(ctx, providers.ValidateResourceConfigRequest{TypeName: "terraform_data", Config: config})
		return pathDiagnosticsNotation(response.Diagnostics)
	})
	two("builtin.plan", aValue, aValue, func(prior, proposed cty.Value) any {
		response := provider.PlanResourceChange(ctx, providers.PlanResourceChangeRequest{
			TypeName: "terraform_data", PriorState: prior, ProposedNewState: proposed,
		})
		paths := []any{}
		for _, path := range response.RequiresReplace {
			paths = append(paths, tfdiags.FormatCtyPath(path))
		}
		return record{{"planned", response.PlannedState}, {"replace", paths}, {"diagnostics", pathDiagnosticsNotation(response.Diagnostics)}}
	})
	one("builtin.upgrade", aString, func(state string) any {
		response := provider.UpgradeResourceState(ctx, providers.UpgradeResourceStateRequest{TypeName: "terraform_data", RawStateJSON: []byte(state)})
		return valueNotation(response.UpgradedState, response.Diagnostics)
	})
	two("builtin.move", aString, aString, func(source, state string) any {
		response := provider.MoveResourceState(ctx, providers.MoveResourceStateRequest{
			SourceTypeName: source, SourceStateJSON: []byte(state), TargetTypeName: "terraform_data",
		})
		return valueNotation(response.TargetState, response.Diagnostics)
	})
	one("builtin.import", aString, func(id string) any {
		response := provider.ImportResourceState(ctx, providers.ImportResourceStateRequest{
			TypeName: "terraform_data", Target: providers.ImportTarget{ID: id},
		})
		return valueNotation(response.ImportedResources[0].State, response.Diagnostics)
	})
	one("builtin.validateRemoteState", aValue, func(config cty.Value) any {
		response := provider.ValidateDataResourceConfig(ctx, providers.ValidateDataResourceConfigRequest{
			TypeName: "terraform_remote_state", Config: config,
		})
		return pathDiagnosticsNotation(response.Diagnostics)
	})
	two("builtin.readRemoteState", aString, aValue, func(address string, config cty.Value) any {
		instance, diags := addrs.ParseAbsResourceInstanceStr(address)
		if diags.HasErrors() {
			refuse("address: %s", diags.Err())
		}
		response := provider.ReadDataSourceEncrypted(ctx, providers.ReadDataSourceRequest{
			TypeName: "terraform_remote_state", Config: config,
		}, instance, encryption.Disabled())
		if response.State != cty.NilVal {
			response.State = marks.RemoveDeepDeprecated(response.State)
		}
		return valueNotation(response.State, response.Diagnostics)
	})
	two("builtin.function", aString, aValue, func(name string, argument cty.Value) any {
		response := provider.CallFunction(ctx, providers.CallFunctionRequest{Name: name, Arguments: []cty.Value{argument}})
		if response.Error != nil {
			return record{{"error", response.Error.Error()}}
		}
		return record{{"result", response.Result}}
	})
}

// valueNotation returns the value, unless there are errors.
func valueNotation(value cty.Value, diags tfdiags.Diagnostics) any {
	notation := record{{"diagnostics", pathDiagnosticsNotation(diags)}}
	if !diags.HasErrors() {
		notation = append(notation, field{"value", value})
	}
	return notation
}

// pathDiagnosticsNotation writes diagnostics of a provider: severity, summary, detail, and the path of the attribute if there is one.
func pathDiagnosticsNotation(all tfdiags.Diagnostics) []any {
	written := []any{}
	for _, one := range all {
		entry := diagnosticsNotation(tfdiags.Diagnostics{one})[0].(record)
		if path := tfdiags.GetAttribute(one); len(path) > 0 {
			entry = append(entry, field{"path", tfdiags.FormatCtyPath(path)})
		}
		written = append(written, entry)
	}
	return written
}

func blockNotation(block *configschema.Block) any {
	attributes := []any{}
	for _, name := range slices.Sorted(maps.Keys(block.Attributes)) {
		one := block.Attributes[name]
		attributes = append(attributes, record{
			{"name", name}, {"type", one.Type}, {"required", one.Required}, {"optional", one.Optional}, {"computed", one.Computed},
			{"description", one.Description}, {"markdown", one.DescriptionKind == configschema.StringMarkdown},
		})
	}
	return attributes
}

func providerFunctionNotation(name string, one providers.FunctionSpec) any {
	parameters := []any{}
	for _, each := range one.Parameters {
		parameters = append(parameters, record{
			{"name", each.Name}, {"type", each.Type}, {"null", each.AllowNullValue}, {"unknown", each.AllowUnknownValues}, {"description", each.Description},
		})
	}
	return record{{"name", name}, {"summary", one.Summary}, {"description", one.Description}, {"returns", one.Return}, {"parameters", parameters}}
}
