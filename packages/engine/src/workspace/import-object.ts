// SPDX-License-Identifier: Apache-2.0
import { dynamic, isValue, of, type Value } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/hcl";
import { requireAddress } from "../address/address-diagnostic.ts";
import { formatModuleInstance, modulePathOf } from "../address/module.ts";
import { formatResourceInstance, type ResourceInstance } from "../address/resource.ts";
import { parseResourceInstance } from "../address/target.ts";
import type { Importing } from "../change/planned-changes.ts";
import { descendant, type Configuration } from "../configuration/configuration.ts";
import { resourceBlock } from "../configuration/module.ts";
import { resolveVariables } from "../configuration/variable-values.ts";
import { planConfiguration } from "../plan/plan-configuration.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { StateDraft } from "../state/state-draft.ts";
import { objectIn, type State } from "../state/state.ts";
import { recoveryDiagnostics } from "./recovery-report.ts";
import { givenVariables } from "./run-variables.ts";
import type { WorkspaceContext } from "./workspace-context.ts";
import type { RunOptions } from "./workspace-options.ts";

/** Identifies an object of a provider: by its ID, or by the attributes of its identity, as JavaScript data or a cty value. */
export type ImportIdentifier = { readonly id: string } | { readonly identity: Readonly<Record<string, unknown>> | Value };

/** The result of an import. */
export interface ImportResult {
  /** The stored state: with the object, or unchanged after errors. */
  readonly state: State;
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** Whether errors prevented the import. */
  readonly errored: boolean;
  /** The texts of the configuration's files by path, for showing diagnostics. */
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
}

/** Imports one object into the state. @see OpenTofu command/import.go */
export async function importIntoState(
  context: WorkspaceContext,
  text: string,
  identifier: ImportIdentifier,
  options: RunOptions,
): Promise<ImportResult> {
  const { signal, onEvent, variables = {} } = options;
  signal?.throwIfAborted();
  const address = requireAddress(text, parseResourceInstance(text));
  const importing = importingOf(identifier);
  const { configuration, diagnostics, sources } = await context.load(variables, signal);
  const { opened, selected, unlock } = await context.openState(configuration, "OperationTypeImport", options);
  const { manager } = opened;
  const report: AddressedDiagnostic[] = [...recoveryDiagnostics(opened), ...diagnostics, ...selected.diagnostics];
  const finished = (errored: boolean, found: readonly AddressedDiagnostic[] = []): ImportResult => {
    report.push(...found);
    for (const diagnostic of report) onEvent?.({ type: "diagnostic", diagnostic, sources });
    return { state: manager.file.state, diagnostics: report, errored, sources };
  };
  try {
    if (configuration === undefined || hasErrors(report)) return finished(true);
    const given = givenVariables(variables);
    const problems = [
      ...undeclaredTarget(address, configuration, manager.file.state),
      ...resolveVariables(given, configuration.module.variables).diagnostics,
    ];
    if (hasErrors(problems)) return finished(true, problems);
    report.push(...problems);
    await using pool = await context.openPool(configuration, options);
    const { changes } = await planConfiguration({
      configuration,
      state: manager.file.state,
      pool,
      variables: given,
      workspace: context.workspace,
      workingFolder: context.workingFolder,
      environment: context.environment,
      allowsLocalExec: context.options.localExec !== false,
      mode: "refreshOnly",
      refresh: false,
      targets: [],
      excludes: [],
      replace: [],
      generateConfiguration: false,
      allowsDeferral: false,
      importedObject: { address, importing },
      emit: (event) => {
        // What a plan would report of changes says nothing of an import.
        if (event.type !== "planned") onEvent?.(event);
      },
      signal,
    });
    if (changes.errored) return finished(true, changes.diagnostics);
    if (objectIn(changes.priorState, { instance: address }) === undefined) {
      return finished(true, [...changes.diagnostics, missingInstance(formatResourceInstance(address))]);
    }
    await manager.save(withoutOrphanOutputs(changes.priorState, configuration), signal === undefined ? {} : { signal });
    return finished(false, changes.diagnostics);
  } finally {
    await unlock();
  }
}

function importingOf(identifier: ImportIdentifier): Importing {
  if ("id" in identifier) return identifier;
  const { identity } = identifier;
  return { identity: isValue(identity) ? identity : of(dynamic, identity) };
}

/** Errors about a target that the configuration does not declare, or that the state already has. */
function undeclaredTarget(address: ResourceInstance, configuration: Configuration, state: State): readonly Diagnostic[] {
  const { module, resource } = address;
  const text = formatResourceInstance(address);
  const error = (summary: string, detail: string): readonly Diagnostic[] => [{ severity: "error", summary, detail }];
  if (resource.mode !== "managed") {
    const what = resource.mode === "data" ? "a data resource" : "an ephemeral resource";
    return error("Invalid target resource address", `A managed resource address is required. Importing into ${what} is not allowed.`);
  }
  const owner = descendant(configuration, modulePathOf(module));
  if (owner === undefined) {
    const detail = `${formatModuleInstance(module)} is not defined in the configuration. Please add configuration for this module before importing into it.`;
    return error("Import to non-existent module", detail);
  }
  if (resourceBlock(owner.module, resource) === undefined) {
    const place = module.length === 0 ? "the root module" : formatModuleInstance(module);
    const example = `resource ${JSON.stringify(resource.type)} ${JSON.stringify(resource.name)} {\n  # (resource arguments)\n}`;
    const detail = `Before importing this resource, please create its configuration in ${place}. For example:\n\n${example}`;
    return error(`resource address ${JSON.stringify(text)} does not exist in the configuration.`, detail);
  }
  if (objectIn(state, { instance: address }) === undefined) return [];
  const detail = `OpenTofu is already managing a remote object for ${text}. To import to this address you must first remove the existing object from the state.`;
  return error("Resource already managed by OpenTofu", detail);
}

/** The state without outputs that the configuration does not declare. */
function withoutOrphanOutputs(state: State, { module }: Configuration): State {
  const draft = new StateDraft(state);
  for (const name of state.outputs.keys()) if (!module.outputs.has(name)) draft.setOutput(name, undefined);
  return draft.snapshot();
}

function missingInstance(text: string): Diagnostic {
  const detail = `The configuration for the given import ${text} does not exist. All target instances must have an associated configuration to be imported.`;
  return { severity: "error", summary: "Configuration for import target does not exist", detail };
}
