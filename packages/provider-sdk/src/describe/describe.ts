// SPDX-License-Identifier: Apache-2.0
import { compiledParts } from "../compile/served-provider.ts";
import { friendlyName } from "@tenon/cty";
import type { FunctionParameter } from "@tenon/schema";
import type { ServedProvider } from "../definition/provider.ts";
import type { CompiledFunction, CompiledParameter } from "../compile/function.ts";
import type { CompiledIdentity } from "../compile/identity.ts";
import type { CompiledResource } from "../compile/resource.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../shape/shape.ts";
import { loadRegistry } from "../server/instance/registry.ts";
import { jsonOf } from "./json-of.ts";
import type {
  ComponentDescription,
  EntryDescription,
  FunctionDescription,
  IdentityDescription,
  ImportDescription,
  ParameterDescription,
  ProviderDescription,
  ResourceDescription,
} from "./description.ts";

/**
 * Describes a provider as data. The description contains properties that the protocol cannot carry: defaults, validators, plan modifiers
 * and the format of import ids. Loads every component; runs none of the provider's hooks.
 *
 * @throws SdkError `LOAD_FAILED`, `INVALID_COMPONENT`, `INVALID_DEFINITION`.
 *
 * @example
 * const notebook = defineProvider({ name: "notebook", version: "1.0.0", schema: { path: attr.string({ required: true }) } });
 * (await describe(notebook.with([]))).entries[0].type
 * // => "string"
 */
export async function describe(served: ServedProvider): Promise<ProviderDescription> {
  const provider = compiledParts(served)["~provider"];
  const registry = await loadRegistry(served);
  return {
    name: provider.name,
    version: provider.version,
    description: provider.protocol.block.description,
    ...deprecation(provider.deprecated),
    rules: descriptionsOf(provider.shape.rules ?? []),
    entries: entriesOf(provider.shape),
    resources: sorted(registry.resource).map(resourceOf),
    dataSources: sorted(registry.dataSource).map(componentOf),
    ephemeralResources: sorted(registry.ephemeralResource).map(componentOf),
    listResources: sorted(registry.listResource).map(componentOf),
    actions: sorted(registry.action).map(componentOf),
    stateStores: sorted(registry.stateStore).map(componentOf),
    functions: sorted(registry.function).map(functionOf),
  };
}

function sorted<T>(components: ReadonlyMap<string, T>): readonly T[] {
  return [...components].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component);
}

type ComponentParts = Pick<CompiledResource, "typeName" | "shape" | "protocol" | "deprecated">;

function componentOf({ typeName, shape, protocol, deprecated }: ComponentParts): ComponentDescription {
  return {
    typeName,
    description: protocol.block.description,
    ...deprecation(deprecated),
    rules: descriptionsOf(shape.rules ?? []),
    entries: entriesOf(shape),
  };
}

function resourceOf(resource: CompiledResource): ResourceDescription {
  const { version, identity, update, upgraders, moveState } = resource;
  const imported = importOf(resource);
  return {
    ...componentOf(resource),
    version,
    ...(imported === undefined ? {} : { import: imported }),
    ...(identity === undefined ? {} : { identity: identityOf(identity) }),
    updates: update !== undefined,
    upgradesFrom: [...upgraders.keys()],
    moves: moveState !== undefined,
  };
}

function importOf({ importState }: CompiledResource): ImportDescription | undefined {
  if (importState === undefined) return undefined;
  if (typeof importState === "function") return { by: "handler" };
  const { attributes, separator } = importState;
  return { by: "attributes", attributes, form: attributes.map((name) => `<${name}>`).join(separator) };
}

function identityOf({ shape, mutable }: CompiledIdentity): IdentityDescription {
  const attributes = shape.entries.map((entry) => ({
    name: entry.name,
    type: friendlyName(entry.shape.type),
    optional: entry.shape.nullable,
    description: entry.description,
  }));
  return { mutable, attributes };
}

function entriesOf(shape: ObjectShape): readonly EntryDescription[] {
  return shape.entries.map(entryOf);
}

function entryOf(entry: EntryShape): EntryDescription {
  const { name, description, required, optional, computed, sensitive, writeOnly } = entry;
  const common = {
    name,
    description,
    ...deprecation(entry.deprecated),
    required,
    optional,
    computed,
    sensitive,
    writeOnly,
    validators: descriptionsOf(entry.validators),
    planModifiers: descriptionsOf(entry.planModifiers),
  };
  if (hasEntries(entry)) {
    const { minItems, maxItems } = entry;
    return {
      kind: entry.kind as "nested" | "block",
      ...common,
      nesting: entry.nesting!,
      ...(entry.default === undefined ? {} : { default: jsonOf(entry.default) }),
      minItems,
      maxItems,
      rules: descriptionsOf(bodyOf(entry).rules ?? []),
      entries: entriesOf(bodyOf(entry)),
    };
  }
  return {
    kind: "attribute",
    ...common,
    type: friendlyName(entry.shape.type),
    ...(entry.default === undefined ? {} : { default: jsonOf(entry.default) }),
    hasEquivalents: entry.equivalent !== undefined,
  };
}

function functionOf({ name, parameters, variadic, returns, signature }: CompiledFunction): FunctionDescription {
  return {
    name,
    summary: signature.summary,
    description: signature.description,
    ...deprecation(signature.deprecationMessage),
    parameters: parameters.map((parameter, index) => parameterOf(parameter, signature.parameters[index]!)),
    ...(variadic === undefined ? {} : { variadic: parameterOf(variadic, signature.variadicParameter!) }),
    returns: friendlyName(returns.type),
  };
}

function parameterOf(
  { name, shape, allowNull, allowUnknown, validators }: CompiledParameter,
  { description }: FunctionParameter,
): ParameterDescription {
  return { name, type: friendlyName(shape.type), description, allowNull, allowUnknown, validators: descriptionsOf(validators) };
}

function deprecation(deprecated: string | undefined): { readonly deprecated?: string } {
  return deprecated ? { deprecated } : {};
}

/** Returns the descriptions of validators, plan modifiers or rules. Functions without a description are omitted. */
function descriptionsOf(rules: readonly { readonly description?: string }[]): readonly string[] {
  return rules.map((rule) => rule.description).filter((description) => description !== undefined);
}
