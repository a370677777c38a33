// SPDX-License-Identifier: Apache-2.0
import { customResourceDefinition, type CustomResourceDefinition, type DefinitionOptions } from "../crd/definition.ts";
import { policiesWithoutChanges } from "../crd/management-policies.ts";
import { providerConfigDefinitions } from "../crd/provider-config-definition.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { ruleName } from "../mapping/component-name.ts";
import { withVersion } from "../mapping/kind-version.ts";
import type { ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { FieldMoves } from "../mapping/resource-rules.ts";
import type { FieldProblem } from "../values/field-path.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../values/json-value.ts";

/** A kind whose definition and objects are migrated. */
export interface MigratedKind {
  /** What the schema describes, in messages, such as `x_thing`. */
  readonly subject: string;
  readonly resource: Omit<ApiResource, "version">;
  /** Returns the definition with one version of this name. */
  readonly definition: (version: string) => CustomResourceDefinition;
  /** Version that the rules choose; undefined to keep the installed one. */
  readonly version: string | undefined;
  /** Names of the fields of `spec` that follow the provider's schema, and are converted to it. */
  readonly convertedParts: readonly string[];
  /** Fields that the present schema has renamed or removed. */
  readonly moves: FieldMoves | undefined;
  /** Whether `status.atProvider` follows the provider's schema. */
  readonly hasObservation: boolean;
  /** Returns the required fields that a converted `spec` lacks. */
  readonly missingFields: (spec: JsonObject) => readonly FieldProblem[];
}

/** The migrated kind of a resource type or of another component. */
export function migratedResource(
  kind: KindMapping,
  options: Omit<DefinitionOptions, "version"> & { readonly moves?: FieldMoves } = {},
): MigratedKind {
  const { group, names, scope, rules } = kind;
  return {
    subject: ruleName(kind),
    resource: { group, kind: names.kind, plural: names.plural, namespaced: scope === "Namespaced" },
    definition: (version) => customResourceDefinition(withVersion(kind, version), options),
    version: rules.version,
    convertedParts: ["forProvider", "initProvider"],
    moves: options.moves ?? rules.moves,
    hasObservation: true,
    missingFields: (spec) => missingParameters(kind, spec),
  };
}

/** The migrated kinds of a provider's configurations and their usages. The definitions are upgraded to the same version. */
export function migratedConfigs(mapping: ProviderConfigMapping): readonly MigratedKind[] {
  const { version, moves } = mapping.rules;
  return providerConfigDefinitions(mapping).map(({ spec: { group, names, scope } }, index) => ({
    subject: "the provider's configuration",
    resource: { group, kind: names.kind, plural: names.plural, namespaced: scope === "Namespaced" },
    definition: (name) => providerConfigDefinitions(withVersion(mapping, name))[index]!,
    version,
    convertedParts: ["configuration"],
    moves,
    hasObservation: false,
    // The credentials may have the required fields, and the provider checks them.
    missingFields: () => [],
  }));
}

/** Required parameters that neither part of a spec sets. None, if the policies exclude creation and updates. */
function missingParameters(
  { fields }: KindMapping,
  { forProvider, initProvider, managementPolicies }: JsonObject,
): readonly FieldProblem[] {
  const policies: readonly unknown[] = isJsonArray(managementPolicies) ? managementPolicies : ["*"];
  if (policies.every((policy) => (policiesWithoutChanges as readonly unknown[]).includes(policy))) return [];
  const has = (part: JsonValue | undefined, name: string): boolean => isJsonObject(part) && Object.hasOwn(part, name);
  return [...fields.byParameter]
    .filter(([name, { parameter }]) => parameter === "required" && !has(forProvider, name) && !has(initProvider, name))
    .map(([name]) => ({ path: `spec.forProvider.${name}`, reason: "is required, and the object does not set it" }));
}
