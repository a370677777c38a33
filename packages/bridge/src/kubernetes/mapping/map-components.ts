// SPDX-License-Identifier: Apache-2.0
import { dynamic, list, string, type Type } from "@tenon/cty";
import {
  createAttribute,
  createSchema,
  identityType,
  type FunctionParameter,
  type FunctionSignature,
  type Provider,
  type Schema,
} from "@tenon/schema";
import { BridgeError } from "../../error.ts";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import { kindNames, type KindNames } from "../names/kind-name.ts";
import { assertGroup } from "./api-group.ts";
import { componentSchemas, type ComponentSchemas } from "./component-name.ts";
import { checkRules, chosenKinds, resourceKindNames, type KindOptions, type KindSource } from "./map-kinds.ts";
import { configKindNames } from "./map-provider-config.ts";
import type { ComponentName, KindMapping, ObjectMapping, ValueMapping } from "./mapping.ts";
import { mapBlock, mapType, observedFields } from "./object-mapping.ts";
import type { ResourceRules } from "./resource-rules.ts";
import { RuleScope } from "./rule-scope.ts";

/** The mapping of a data source, function, list resource or ephemeral resource to a kind of custom resources. */
export interface ComponentMapping extends KindMapping {
  readonly component: ComponentName;
  /** Parameters and result of a function. */
  readonly signature?: FunctionSignature;
}

/** Which components of a provider become kinds, by name. Default: none. */
export interface ComponentOptions extends Pick<KindOptions, "group" | "scope" | "rules"> {
  readonly data?: Iterable<string>;
  readonly function?: Iterable<string>;
  readonly list?: Iterable<string>;
  readonly ephemeral?: Iterable<string>;
}

/** Ends of the kinds' names. */
const suffixes: Readonly<Record<ComponentName, string>> = {
  data: "Data",
  function: "Function",
  list: "Query",
  ephemeral: "Ephemeral",
};

const components: readonly ComponentName[] = ["data", "function", "list", "ephemeral"];

/** Schemas of a provider that components are mapped from. */
export interface ComponentSource extends KindSource {
  readonly schemas: KindSource["schemas"] & ComponentSchemas;
}

/**
 * Maps components of a provider other than resource types to kinds of custom resources, which only read. Rules have the names of components,
 * such as `data.time_now`.
 *
 * @throws BridgeError `INVALID_ARGUMENTS` if the provider lacks a named component, or the options are invalid.
 */
export function mapComponents(source: ComponentSource, options: ComponentOptions): readonly ComponentMapping[] {
  assertGroup(options.group);
  const names = componentNames(source, options);
  return components.flatMap((component) =>
    [...new Set(options[component])].toSorted().map((typeName) => {
      const { schemas } = source;
      if (!schemas[componentSchemas[component]].has(typeName)) throw invalid(`the provider has no ${component}.${typeName}`);
      return mapComponent(source, component, typeName, names.get(component)!.get(typeName)!, options);
    }),
  );
}

/** As {@link mapComponents}, with the schemas of a running provider, which need not be configured. @throws BridgeError also `PROVIDER_FAILED` */
export async function mapProviderComponents(provider: Provider, options: ComponentOptions): Promise<readonly ComponentMapping[]> {
  return mapComponents(await providerSchemas(provider, `group ${options.group}`), options);
}

/** Names of the kinds of all components. They depend on everything that the provider has, and not on what is chosen. */
function componentNames(
  { schemas }: ComponentSource,
  { rules = {} }: ComponentOptions,
): ReadonlyMap<ComponentName, ReadonlyMap<string, KindNames>> {
  const reserved = new Set<string>(configKindNames.flatMap((kind) => [kind, `${kind}s`]));
  for (const { kind } of resourceKindNames([...schemas.resources.keys()], rules).values()) reserved.add(kind);
  const result = new Map<ComponentName, ReadonlyMap<string, KindNames>>();
  for (const component of components) {
    const typeNames = [...schemas[componentSchemas[component]].keys()];
    const byRule = chosenKinds(
      rules,
      typeNames.map((name) => `${component}.${name}`),
    );
    const chosen = new Map([...byRule].map(([name, kind]) => [name.slice(component.length + 1), kind]));
    const names = kindNames({ typeNames, chosen, reserved, suffix: suffixes[component] });
    for (const { kind } of names.values()) reserved.add(kind);
    result.set(component, names);
  }
  return result;
}

function mapComponent(
  source: ComponentSource,
  component: ComponentName,
  typeName: string,
  names: KindNames,
  { group, scope = "Namespaced", rules = {} }: ComponentOptions,
): ComponentMapping {
  const { schemas } = source;
  const name = `${component}.${typeName}`;
  const own = Object.hasOwn(rules, name) ? rules[name]! : {};
  const [other] = Object.keys(own).filter((rule) => !componentRules.includes(rule));
  if (other !== undefined) throw invalid(`the rules of ${name} have ${other}, which applies to resource types only`);
  const ruleScope = new RuleScope(own);
  const signature = component === "function" ? schemas.functions.get(typeName)! : undefined;
  const schema = signature ? functionSchema(signature) : schemas[componentSchemas[component as "data"]].get(typeName)!;
  const fields = mapBlock(schema.block, ruleScope);
  checkRules(name, own, ruleScope, schemas);
  const results = resultsOf(source, component, typeName, signature);
  return {
    typeName,
    group,
    names,
    scope,
    schema,
    identitySchema: undefined,
    rules: own,
    fields,
    component,
    ...(results ? { results } : {}),
    ...(signature ? { signature } : {}),
  };
}

/** Describes the parameters of a function as the attributes of a block. */
function functionSchema({ parameters, variadicParameter, summary, description }: FunctionSignature): Schema {
  const attribute = (parameter: FunctionParameter, type: Type, isOptional: boolean) =>
    createAttribute({ type, required: !isOptional, optional: isOptional, description: parameter.description });
  const attributes = Object.fromEntries(parameters.map((one) => [one.name, attribute(one, one.type, one.allowNullValue)]));
  if (variadicParameter) attributes[variadicParameter.name] = attribute(variadicParameter, list(variadicParameter.type), true);
  return createSchema({ attributes, description: description === "" ? summary : description });
}

/** The fields of `status.atProvider`; undefined if they are those of the block. */
function resultsOf(
  { schemas, identities }: ComponentSource,
  component: ComponentName,
  typeName: string,
  signature: FunctionSignature | undefined,
): ObjectMapping | undefined {
  const scope = new RuleScope({});
  if (component === "data") return undefined;
  if (component === "ephemeral") return observedFields({});
  if (signature) return observedFields({ result: mapType(signature.returnType, scope) });
  const text: ValueMapping = { kind: "string", type: string };
  const block = schemas.resources.get(typeName)?.block;
  const identity = identities?.get(typeName);
  const ofIdentity = identity && mapType(identityType(identity), scope);
  const resource = observedFields({
    display_name: text,
    ...(ofIdentity ? { identity: ofIdentity } : {}),
    ...(block ? { resource: objectOf(mapBlock(block, scope)) } : {}),
  });
  return observedFields({ resources: listOf(objectOf(resource)), ids: listOf(text) });
}

// The values are tuples and objects, as for blocks with dynamic attributes.
function objectOf(object: ObjectMapping): ValueMapping {
  return { kind: "object", type: dynamic, object };
}

function listOf(element: ValueMapping): ValueMapping {
  return { kind: "list", type: dynamic, elements: [element] };
}

/** Rules that apply to components, too. */
const componentRules: readonly string[] = ["kind", "references", "version", "moves"] satisfies readonly (keyof ResourceRules)[];

function invalid(problem: string): BridgeError {
  return new BridgeError("INVALID_ARGUMENTS", problem);
}
