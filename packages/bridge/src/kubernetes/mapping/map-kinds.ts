// SPDX-License-Identifier: Apache-2.0
import type { GetProviderSchemaResponse, GetResourceIdentitySchemasResponse, Provider } from "@tenon/schema";
import { BridgeError } from "../../error.ts";
import { providerSchemas } from "../../provider/provider-schemas.ts";
import { isKind, kindNames, type KindNames } from "../names/kind-name.ts";
import { assertGroup } from "./api-group.ts";
import { componentReference, componentSchemas, type ComponentSchemas } from "./component-name.ts";
import { configKindNames, configRuleName } from "./map-provider-config.ts";
import type { KindMapping, KindScope } from "./mapping.ts";
import { mapBlock } from "./object-mapping.ts";
import type { ResourceRules } from "./resource-rules.ts";
import { RuleScope } from "./rule-scope.ts";

/** Options of {@link mapKinds}. */
export interface KindOptions {
  /** API group of all kinds, such as `time.example.org`. */
  readonly group: string;
  /** Names of the resource types, such as `time_static`. Default: all. */
  readonly resources?: Iterable<string>;
  /** Whether the objects belong to namespaces. Default: `Namespaced`. */
  readonly scope?: KindScope;
  /** Rules that the schemas do not contain, by resource type. Those of the provider's configurations have the name `ProviderConfig`. */
  readonly rules?: Readonly<Record<string, ResourceRules>>;
}

/** The schemas of a provider from which kinds are mapped. */
export interface KindSource {
  readonly schemas: Pick<GetProviderSchemaResponse, "resources"> & Partial<ComponentSchemas>;
  /** Identity schemas by resource type. Default: no resource has an identity. */
  readonly identities?: GetResourceIdentitySchemasResponse["identitySchemas"];
}

/**
 * Maps resource types of a provider to kinds of custom resources, in alphabetical order of the types.
 *
 * @throws BridgeError `INVALID_ARGUMENTS` if the provider lacks a named type, or the options are invalid.
 */
export function mapKinds({ schemas, identities }: KindSource, options: KindOptions): readonly KindMapping[] {
  const { group, scope = "Namespaced", rules = {} } = options;
  assertGroup(group);
  const typeNames = [...schemas.resources.keys()];
  const chosen = options.resources === undefined ? typeNames : [...new Set(options.resources)];
  const ruled = Object.keys(rules).filter((rule) => componentReference(rule) === undefined && rule !== configRuleName);
  for (const name of [...chosen, ...ruled]) {
    if (!schemas.resources.has(name)) throw invalid(`the provider has no resource type ${name}`);
  }
  const names = resourceKindNames(typeNames, rules);
  return chosen.toSorted().map((typeName) => {
    const typeRules = Object.hasOwn(rules, typeName) ? rules[typeName]! : {};
    const schema = schemas.resources.get(typeName)!;
    const ruleScope = new RuleScope(typeRules);
    const fields = mapBlock(schema.block, ruleScope);
    checkRules(typeName, typeRules, ruleScope, schemas);
    return {
      typeName,
      group,
      names: names.get(typeName)!,
      scope,
      schema,
      identitySchema: identities?.get(typeName),
      rules: typeRules,
      fields,
    };
  });
}

/** As {@link mapKinds}, with the schemas of a running provider, which need not be configured. @throws BridgeError also `PROVIDER_FAILED` */
export async function mapProviderKinds(provider: Provider, options: KindOptions): Promise<readonly KindMapping[]> {
  return mapKinds(await providerSchemas(provider, `group ${options.group}`), options);
}

/** Names of the kinds of all resource types, whether they are chosen or not. */
export function resourceKindNames(
  typeNames: readonly string[],
  rules: Readonly<Record<string, ResourceRules>>,
): ReadonlyMap<string, KindNames> {
  const reserved = configKindNames.flatMap((kind) => [kind, `${kind}s`]);
  return kindNames({ typeNames, chosen: chosenKinds(rules, typeNames), reserved });
}

/** Kinds that rules choose, by type name. @param names - The names of the rules that count. */
export function chosenKinds(rules: Readonly<Record<string, ResourceRules>>, names: Iterable<string>): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  for (const typeName of names) {
    const kind = Object.hasOwn(rules, typeName) ? rules[typeName]!.kind : undefined;
    if (kind === undefined) continue;
    if (!isKind(kind))
      throw invalid(
        `the kind ${JSON.stringify(kind)} of ${typeName} must have at most 59 letters and digits, and begin with a capital letter`,
      );
    chosen.set(typeName, kind);
  }
  return chosen;
}

/** Checks the rules of a type after it was mapped. @throws BridgeError `INVALID_ARGUMENTS` */
export function checkRules(typeName: string, rules: ResourceRules, scope: RuleScope, schemas: KindSource["schemas"]): void {
  const [unknown] = scope.unknownPaths();
  if (unknown !== undefined) throw invalid(`the rules of ${typeName} name ${unknown}, which its schema does not have`);
  for (const { type } of Object.values(rules.references ?? {})) {
    const component = componentReference(type);
    const exists = component ? schemas[componentSchemas[component.component]]?.has(component.typeName) : schemas.resources.has(type);
    if (exists === true) continue;
    throw invalid(`the rules of ${typeName} refer to ${type}, which is no ${component ? "component" : "resource type"} of the provider`);
  }
}

function invalid(problem: string): BridgeError {
  return new BridgeError("INVALID_ARGUMENTS", problem);
}
