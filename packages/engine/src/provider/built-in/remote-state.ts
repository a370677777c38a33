// SPDX-License-Identifier: Apache-2.0
import { CtyError, dynamic, get, isKnown, isNull, isWhollyKnown, nullOf, objectOf, string, type Path, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { goQuote } from "@tenon/cty/unstable/payload";
import { createAttribute, createSchema, errorDiagnostic, hasErrors, type Diagnostic, type Schema } from "@tenon/schema";
import { formatResourceInstance, type ResourceInstance } from "../../address/resource.ts";
import { textOf } from "../../configuration/literal.ts";
import { conversionText } from "../../configuration/value-path.ts";
import { EngineError } from "../../error.ts";
import { absentBackendDetail, backendTypes } from "../../state/backends/backend-types.ts";
import { coerceToBlock, textAttribute, type BackendEnvironment, type BackendType } from "../../state/backends/backend.ts";
import { readStateFile } from "../../state/read-state-file.ts";
import type { State } from "../../state/state.ts";
import { defaultWorkspace, type StateStore, type StoreCallOptions } from "../../state/stores/state-store.ts";

/** The environment in which remote states are read. */
export interface RemoteStateEnvironment extends BackendEnvironment {
  /** The types of backends by name. Default: the built-in ones. */
  readonly backends?: ReadonlyMap<string, BackendType>;
}

const markdown = { descriptionKind: "markdown" } as const;

/** Schema of `terraform_remote_state`: a data source with the outputs of another state. */
export const remoteStateSchema: Schema = createSchema({
  attributes: {
    backend: createAttribute({
      type: string,
      required: true,
      description: "The remote backend to use, e.g. `remote` or `http`.",
      ...markdown,
    }),
    config: createAttribute({
      type: dynamic,
      optional: true,
      description:
        'The configuration of the remote backend. Although this is optional, most backends require some configuration.\n\nThe object can use any arguments that would be valid in the equivalent `terraform { backend "<TYPE>" { ... } }` block.',
      ...markdown,
    }),
    defaults: createAttribute({
      type: dynamic,
      optional: true,
      description: "Default values for outputs, in case the state file is empty or lacks a required output.",
      ...markdown,
    }),
    outputs: createAttribute({
      type: dynamic,
      computed: true,
      description: "An object containing every root-level output in the remote state.",
      ...markdown,
    }),
    workspace: createAttribute({
      type: string,
      optional: true,
      description: "The OpenTofu workspace to use, if the backend supports workspaces.",
      ...markdown,
    }),
  },
});

const at = (name: string): Path => [{ kind: "attribute", name }];
const invalidBackend = "Invalid backend configuration";

/** Validates a configuration, which can have unknown values. @see OpenTofu tf, dataSourceRemoteStateValidate */
export function validateRemoteState(config: Value, environment: RemoteStateEnvironment): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const [backendConfig, defaults] = [get(config, "config"), get(config, "defaults")];
  if (isWhollyKnown(backendConfig) && isKnown(get(config, "backend"))) diagnostics.push(...prepareBackend(config, environment).diagnostics);
  else if (!isObjectLike(backendConfig)) {
    diagnostics.push(errorDiagnostic(invalidBackend, "The configuration must be an object value.", at("config")));
  }
  if (!isObjectLike(defaults)) {
    diagnostics.push(errorDiagnostic("Invalid default values", "Defaults must be given in an object value.", at("defaults")));
  }
  return diagnostics;
}

function isObjectLike({ type: { kind } }: Value): boolean {
  return kind === "dynamic" || kind === "object" || kind === "map";
}

/** Result of reading a remote state. */
export interface RemoteState {
  /** The data source's object; null if it could not be read. */
  readonly value: Value;
  readonly diagnostics: readonly Diagnostic[];
  /** Outputs that are deprecated, with the message of each. */
  readonly deprecated: ReadonlyMap<string, string>;
}

/**
 * Reads the outputs of another state.
 *
 * @param instance The data source, for the address in errors. Default: errors have no address.
 * @see OpenTofu tf, dataSourceRemoteStateRead
 */
export async function readRemoteState(
  config: Value,
  environment: RemoteStateEnvironment,
  options: StoreCallOptions = {},
  instance?: ResourceInstance,
): Promise<RemoteState> {
  const { value, diagnostics, deprecated = new Map() } = await readOutputs(config, environment, options);
  const address = instance === undefined ? [] : [errorDiagnostic(`${formatResourceInstance(instance)}: Unable to read remote state`, "")];
  return {
    value: value ?? nullOf(config.type),
    diagnostics: hasErrors(diagnostics) ? [...diagnostics, ...address] : diagnostics,
    deprecated,
  };
}

async function readOutputs(
  config: Value,
  environment: RemoteStateEnvironment,
  options: StoreCallOptions,
): Promise<Partial<RemoteState> & { readonly diagnostics: readonly Diagnostic[] }> {
  const prepared = prepareBackend(config, environment);
  if (prepared.open === undefined) return prepared;
  let state: State | undefined;
  try {
    const store = prepared.open();
    let loaded: Awaited<ReturnType<typeof loadState>>;
    try {
      loaded = await loadState(store, textAttribute(config, "workspace") ?? defaultWorkspace, options);
    } finally {
      await store.close?.();
    }
    if (hasErrors(loaded.diagnostics)) return loaded;
    ({ state } = loaded);
  } catch (error) {
    if (error instanceof EngineError) return { diagnostics: [errorDiagnostic(error.message, "")] };
    throw error;
  }
  const outputs = new Map<string, Value>();
  const deprecated = new Map<string, string>();
  const defaults = get(config, "defaults");
  if (!isNull(defaults)) for (const [key, element] of elements(defaults)) outputs.set(textOf(key), element);
  const attributes = new Map(["backend", "config", "workspace", "defaults"].map((name) => [name, get(config, name)]));
  if (isNull(defaults)) attributes.set("defaults", nullOf(dynamic));
  const value = (): Value => objectOf(new Map([...attributes, ["outputs", objectOf(outputs)]]));
  if (state === undefined) {
    const detail = "No stored state was found for the given workspace in the given backend.";
    outputs.clear();
    return { value: value(), diagnostics: [errorDiagnostic("Unable to find remote state", detail, at("workspace"))] };
  }
  for (const [name, output] of state.outputs) {
    outputs.set(name, output.value);
    if (output.deprecated) deprecated.set(name, output.deprecated);
  }
  return { value: value(), diagnostics: prepared.diagnostics, deprecated };
}

async function loadState(
  store: StateStore,
  workspace: string,
  options: StoreCallOptions,
): Promise<{ readonly state?: State | undefined; readonly diagnostics: readonly Diagnostic[] }> {
  let access: ReturnType<StateStore["workspace"]>;
  try {
    access = store.workspace(workspace);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const reason = error.code === "WORKSPACE_NOT_FOUND" ? "workspaces not supported" : error.message;
    return { diagnostics: [errorDiagnostic("Error loading state error", `error loading the remote state: ${reason}`, at("backend"))] };
  }
  const stored = await access.read(options);
  if (stored === undefined) return { diagnostics: [] };
  const { file, diagnostics } = readStateFile(stored.content);
  return { state: file?.state, diagnostics: diagnostics.map(({ severity, summary, detail }) => ({ severity, summary, detail })) };
}

/** Prepares the configuration of the backend. After errors, `open` is absent. @see OpenTofu tf, getBackend */
function prepareBackend(
  config: Value,
  environment: RemoteStateEnvironment,
): { readonly open?: () => StateStore; readonly diagnostics: readonly Diagnostic[] } {
  const { backends = backendTypes } = environment;
  const named = textAttribute(config, "backend") ?? "";
  // The name of the local backend before Terraform 0.9.
  const name = named === "_local" ? "local" : named;
  const backend = backends.get(name);
  if (backend === undefined) return { diagnostics: [errorDiagnostic(invalidBackend, absentBackendDetail(name, backends), at("backend"))] };
  const given = get(config, "config");
  const schema = backend.schema(environment);
  let coerced: Value;
  try {
    coerced = coerceToBlock(isNull(given) ? objectOf(new Map()) : asObject(given), schema);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `The given configuration is not valid for backend ${goQuote(name)}: ${conversionText(error)}.`;
    return { diagnostics: [errorDiagnostic(invalidBackend, detail, at("config"))] };
  }
  const { config: prepared, diagnostics } = backend.prepare(coerced, environment);
  return hasErrors(diagnostics) ? { diagnostics } : { diagnostics, open: () => backend.open(prepared, environment) };
}

function asObject(value: Value): Value {
  if (value.type.kind !== "map") return value;
  return objectOf(new Map(elements(value).map(([key, element]) => [textOf(key), element])));
}
