// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/afero"
	"github.com/zclconf/go-cty/cty"

	"github.com/opentofu/opentofu/internal/addrs"
	"github.com/opentofu/opentofu/internal/configs"
	"github.com/opentofu/opentofu/internal/getproviders"
)

// files maps paths to texts.
var files = parameter{"{path:text}", func(raw json.RawMessage) any {
	given := map[string]string{}
	if err := json.Unmarshal(raw, &given); err != nil {
		refuse("expected an object of texts by path: %s", err)
	}
	return given
}}

func init() {
	// Loads the root module in "." and all local modules that it calls. Variables have their defaults, or are unknown.
	one("configuration.load", files, func(given map[string]string) any { return loadConfiguration(memoryOf(given), ".") })
	// Does the same for a folder on disk.
	one("configuration.loadFolder", aString, func(folder string) any { return loadConfiguration(afero.NewBasePathFs(afero.NewOsFs(), folder), ".") })
	one("configuration.moduleSource", aString, func(text string) any {
		source, err := addrs.ParseModuleSource(text)
		if err != nil {
			return record{{"error", err.Error()}}
		}
		return record{{"source", source.String()}, {"kind", strings.TrimPrefix(fmt.Sprintf("%T", source), "addrs.ModuleSource")}}
	})
}

func memoryOf(given map[string]string) afero.Fs {
	memory := afero.NewMemMapFs()
	for path, text := range given {
		if err := afero.WriteFile(memory, path, []byte(text), 0o644); err != nil {
			refuse("file %q: %s", path, err)
		}
	}
	return memory
}

// buildConfiguration returns the tree of modules; nil if the root module cannot be loaded.
func buildConfiguration(from afero.Fs, folder string) (*configs.Config, hcl.Diagnostics) {
	parser := configs.NewParser(from)
	call := configs.NewStaticModuleCall(addrs.RootModule, hcl.Range{}, func(variable *configs.Variable) (cty.Value, hcl.Diagnostics) {
		if variable.Required() {
			return cty.DynamicVal, nil
		}
		return variable.Default, nil
	}, folder, "default")
	root, diags := parser.LoadConfigDir(folder, call)
	if root == nil || diags.HasErrors() {
		return nil, diags
	}
	configuration, buildDiags := configs.BuildConfig(context.Background(), root, configs.ModuleWalkerFunc(func(_ context.Context, req *configs.ModuleRequest) (*configs.Module, *goversion.Version, hcl.Diagnostics) {
		source, isLocal := req.SourceAddr.(addrs.ModuleSourceLocal)
		if !isLocal {
			return nil, nil, hcl.Diagnostics{{
				Severity: hcl.DiagError,
				Summary:  "Module not installed",
				Detail:   "This module is not yet installed. Run \"tofu init\" to install all modules required by this configuration.",
				Subject:  &req.CallRange,
			}}
		}
		dir := filepath.Join(req.Parent.Module.SourceDir, string(source))
		module, moduleDiags := parser.LoadConfigDir(dir, req.Call)
		if module == nil {
			return nil, nil, hcl.Diagnostics{{
				Severity: hcl.DiagError,
				Summary:  "Module not installed",
				Detail:   fmt.Sprintf("This module's local cache directory %s could not be read. Run \"tofu init\" to install all modules required by this configuration.", dir),
				Subject:  &req.CallRange,
			}}
		}
		return module, nil, moduleDiags
	}))
	return configuration, append(diags, buildDiags...)
}

func loadConfiguration(from afero.Fs, folder string) any {
	configuration, diags := buildConfiguration(from, folder)
	result := record{{"diagnostics", hclDiagnosticsNotation(diags)}}
	if diags.HasErrors() {
		return result
	}
	requirements, _, requirementDiags := configuration.ProviderRequirements()
	providers := []any{}
	for provider, constraints := range requirements {
		providers = append(providers, record{{"provider", provider.String()}, {"version", getproviders.VersionConstraintsString(constraints)}})
	}
	sort.Slice(providers, func(i, j int) bool {
		return providers[i].(record)[0].value.(string) < providers[j].(record)[0].value.(string)
	})
	modules := []any{}
	for _, one := range configuration.AllModules() {
		modules = append(modules, moduleNotation(one))
	}
	sort.Slice(modules, func(i, j int) bool {
		return modules[i].(record)[0].value.(string) < modules[j].(record)[0].value.(string)
	})
	return append(result, field{"modules", modules}, field{"providers", providers}, field{"providerDiagnostics", hclDiagnosticsNotation(requirementDiags)})
}

// moduleNotation returns the declarations of a module, sorted by name.
func moduleNotation(configuration *configs.Config) record {
	module := configuration.Module
	variables := []any{}
	for _, name := range keysOf(module.Variables) {
		one := module.Variables[name]
		entry := record{
			{"name", name}, {"type", one.Type}, {"parsing", string(rune(one.ParsingMode))}, {"sensitive", one.Sensitive}, {"ephemeral", one.Ephemeral},
			{"nullable", one.Nullable}, {"description", one.Description}, {"deprecated", one.Deprecated}, {"validations", len(one.Validations)},
		}
		if one.Default != cty.NilVal {
			entry = append(entry, field{"default", one.Default})
		}
		variables = append(variables, entry)
	}
	outputs := []any{}
	for _, name := range keysOf(module.Outputs) {
		one := module.Outputs[name]
		outputs = append(outputs, record{
			{"name", name}, {"sensitive", one.Sensitive}, {"ephemeral", one.Ephemeral}, {"description", one.Description}, {"dependsOn", len(one.DependsOn)},
			{"preconditions", len(one.Preconditions)},
		})
	}
	resources := []any{}
	for _, some := range []map[string]*configs.Resource{module.ManagedResources, module.DataResources, module.EphemeralResources} {
		for _, key := range keysOf(some) {
			resources = append(resources, resourceNotation(key, some[key]))
		}
	}
	configured := []any{}
	for _, key := range keysOf(module.ProviderConfigs) {
		keys := []string{}
		for instance := range module.ProviderConfigs[key].Instances {
			keys = append(keys, instance.String())
		}
		slices.Sort(keys)
		configured = append(configured, record{{"name", key}, {"instances", strings.Join(keys, "")}})
	}
	calls := []any{}
	for _, name := range keysOf(module.ModuleCalls) {
		one := module.ModuleCalls[name]
		source := ""
		if one.SourceAddr != nil {
			source = one.SourceAddr.String()
		}
		calls = append(calls, record{
			{"name", name}, {"source", source}, {"version", one.Version.Required.String()}, {"providers", len(one.Providers)}, {"dependsOn", len(one.DependsOn)},
			{"count", one.Count != nil}, {"forEach", one.ForEach != nil}, {"enabled", one.Enabled != nil},
		})
	}
	backend := ""
	if module.Backend != nil {
		backend = module.Backend.Type
	}
	return record{
		{"path", configuration.Path.String()}, {"folder", module.SourceDir}, {"backend", backend}, {"variables", variables}, {"locals", texts(keysOf(module.Locals))},
		{"outputs", outputs}, {"resources", resources}, {"providers", configured}, {"calls", calls}, {"checks", texts(keysOf(module.Checks))},
		{"moved", len(module.Moved)}, {"imports", len(module.Import)}, {"removed", len(module.Removed)},
	}
}

func resourceNotation(key string, one *configs.Resource) record {
	entry := record{
		{"address", key}, {"provider", one.Provider.String()}, {"config", one.ProviderConfigAddr().StringCompact()}, {"count", one.Count != nil},
		{"forEach", one.ForEach != nil}, {"enabled", one.Enabled != nil}, {"dependsOn", len(one.DependsOn)}, {"preconditions", len(one.Preconditions)},
		{"postconditions", len(one.Postconditions)},
	}
	if one.Managed != nil {
		entry = append(entry, field{"createBeforeDestroy", one.Managed.CreateBeforeDestroy}, field{"ignoreAll", one.Managed.IgnoreAllChanges},
			field{"ignore", len(one.Managed.IgnoreChanges)}, field{"triggers", len(one.TriggersReplacement)}, field{"provisioners", len(one.Managed.Provisioners)})
	}
	return entry
}

func keysOf[T any](given map[string]T) []string {
	keys := []string{}
	for key := range given {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func texts(given []string) []any {
	all := []any{}
	for _, one := range given {
		all = append(all, one)
	}
	return all
}
