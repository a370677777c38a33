// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/opentofu/opentofu/internal/addrs"
	"github.com/opentofu/opentofu/internal/configs"
	"github.com/opentofu/opentofu/internal/encryption"
	"github.com/opentofu/opentofu/internal/instances"
	"github.com/opentofu/opentofu/internal/refactoring"
	"github.com/opentofu/opentofu/internal/states/statefile"
)

// "moves.execute" applies the moved blocks of a configuration to a state, and validates them. The repetition arguments of the
// configuration are literals. {"text": the state, "moved": [[to, from, implied]], "blocked": [[actual, wanted]], "diagnostics": […]}
func init() {
	two("moves.execute", files, aString, func(given map[string]string, stateText string) any {
		configuration, loadDiags := buildConfiguration(memoryOf(given), ".")
		if loadDiags.HasErrors() {
			return record{{"diagnostics", hclDiagnosticsNotation(loadDiags)}}
		}
		file, err := statefile.Read(strings.NewReader(stateText), encryption.StateEncryptionDisabled())
		if err != nil {
			refuse("state: %s", err)
		}
		statements := refactoring.FindMoveStatements(configuration)
		statements = append(statements, refactoring.ImpliedMoveStatements(configuration, file.State, statements)...)
		results := refactoring.ApplyMoves(statements, file.State)

		expander := instances.NewExpander()
		expand(expander, configuration, addrs.RootModuleInstance)
		diags := refactoring.ValidateMoves(statements, configuration, expander.AllInstances())

		moved := []any{}
		for _, change := range results.Changes.Values() {
			moved = append(moved, []any{change.To.String(), change.From.String(), change.Implied})
		}
		blocked := []any{}
		for _, change := range results.Blocked.Values() {
			blocked = append(blocked, []any{change.Actual.String(), change.Wanted.String()})
		}
		var out bytes.Buffer
		if err := statefile.Write(file, &out, encryption.StateEncryptionDisabled()); err != nil {
			refuse("state: %s", err)
		}
		return record{{"text", out.String()}, {"moved", moved}, {"blocked", blocked}, {"diagnostics", diagnosticsNotation(diags)}}
	})
}

// expand records the instances of a module's resources and calls, and of all modules below it.
func expand(expander *instances.Expander, configuration *configs.Config, module addrs.ModuleInstance) {
	for _, some := range []map[string]*configs.Resource{configuration.Module.ManagedResources, configuration.Module.DataResources} {
		for _, one := range some {
			address := one.Addr()
			switch {
			case one.Count != nil:
				expander.SetResourceCount(module, address, literalCount(one.Count))
			case one.ForEach != nil:
				expander.SetResourceForEach(module, address, literal(one.ForEach).AsValueMap())
			case one.Enabled != nil:
				expander.SetResourceEnabled(module, address, literal(one.Enabled).True())
			default:
				expander.SetResourceSingle(module, address)
			}
		}
	}
	for name, one := range configuration.Module.ModuleCalls {
		call := addrs.ModuleCall{Name: name}
		keys := []addrs.InstanceKey{addrs.NoKey}
		switch {
		case one.Count != nil:
			count := literalCount(one.Count)
			expander.SetModuleCount(module, call, count)
			keys = nil
			for index := range count {
				keys = append(keys, addrs.IntKey(index))
			}
		case one.ForEach != nil:
			values := literal(one.ForEach).AsValueMap()
			expander.SetModuleForEach(module, call, values)
			keys = nil
			for _, key := range keysOf(values) {
				keys = append(keys, addrs.StringKey(key))
			}
		case one.Enabled != nil:
			enabled := literal(one.Enabled).True()
			expander.SetModuleEnabled(module, call, enabled)
			if !enabled {
				keys = nil
			}
		default:
			expander.SetModuleSingle(module, call)
		}
		for _, key := range keys {
			expand(expander, configuration.Children[name], module.Child(name, key))
		}
	}
}

func literal(expression hcl.Expression) cty.Value {
	value, diags := expression.Value(nil)
	if diags.HasErrors() {
		refuse("expected a literal: %s", diags)
	}
	return value
}

func literalCount(expression hcl.Expression) int {
	count, _ := literal(expression).AsBigFloat().Int64()
	return int(count)
}
