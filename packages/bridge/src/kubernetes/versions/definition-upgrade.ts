// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import {
  customResourceDefinition,
  definitionVersion,
  fittingSchema,
  typeNameAnnotation,
  type CustomResourceDefinition,
  type DefinitionOptions,
  type DefinitionVersion,
} from "../crd/definition.ts";
import type { StructuralSchema } from "../crd/structural-schema.ts";
import { ruleName } from "../mapping/component-name.ts";
import { kindVersion, withVersion } from "../mapping/kind-version.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { incompatibleChanges, type SchemaChange } from "./schema-compatibility.ts";

/** The upgrade of an installed definition to a changed resource type. */
export interface DefinitionUpgrade {
  /** Name of the version that objects have after the upgrade. */
  readonly version: string;
  /** The definition after the upgrade. It has only this version. */
  readonly definition: CustomResourceDefinition;
  /** Absent if the version stays the same, because the schemas are compatible. */
  readonly migration?: DefinitionMigration;
}

/** The migration of objects from one version to the next. */
export interface DefinitionMigration {
  readonly from: string;
  readonly to: string;
  /** The incompatible changes, because of which a new version is needed; empty if only the rules have another version. */
  readonly changes: readonly SchemaChange[];
  /** The definition during the migration. It has both versions; the new one lacks the rules that compare with the old value. */
  readonly interim: CustomResourceDefinition;
  /** Schema of the new version. */
  readonly schema: StructuralSchema;
}

/**
 * Plans the upgrade of a definition. A compatible change keeps the version, an incompatible one adds a version: that of the kind's rules, or else the
 * next one. Rules with another version than the installed one add it, too. Changes of `status` are always compatible, because the next observation
 * replaces it.
 *
 * @param installed - The definition in the API server.
 * @throws BridgeError `INVALID_OBJECT` if the definition belongs to another resource type, or has another scope.
 */
export function upgradeDefinition(
  installed: CustomResourceDefinition,
  kind: KindMapping,
  options: Omit<DefinitionOptions, "version"> = {},
): DefinitionUpgrade {
  const { name } = installed.metadata;
  const owner = installed.metadata.annotations?.[typeNameAnnotation];
  if (owner !== ruleName(kind)) {
    const actual = owner === undefined ? "no resource type" : `the resource type ${owner}`;
    throw new BridgeError(
      "INVALID_OBJECT",
      `the definition ${name} belongs to ${actual}, and not to ${ruleName(kind)}: delete it, or use another group`,
    );
  }
  if (installed.spec.scope !== kind.scope) {
    throw new BridgeError(
      "INVALID_OBJECT",
      `the definition ${name} has the scope ${installed.spec.scope}, which cannot be changed to ${kind.scope}: delete the definition, or use another group`,
    );
  }
  const stored = installed.spec.versions.find(({ storage }) => storage)!;
  const schema = fittingSchema(kind, options);
  const changes = incompatibleChanges(specOf(stored), specOf({ schema: { openAPIV3Schema: schema } }), ["spec"]);
  const wanted = kindVersion(kind, stored.name);
  const version = wanted !== stored.name || changes.length === 0 ? wanted : nextVersion(stored.name);
  const definition = customResourceDefinition(withVersion(kind, version), options);
  if (version === stored.name) return { version, definition };
  const before: DefinitionVersion = { ...stored, storage: false };
  const after = definitionVersion(version, interimSchema(schema));
  const interim = { ...definition, spec: { ...definition.spec, versions: [before, after] } };
  return { version, definition, migration: { from: stored.name, to: version, changes, interim, schema } };
}

/** The version that follows: `v1alpha2` after `v1alpha1`, `v2` after `v1`. */
export function nextVersion(version: string): string {
  return version.replace(/\d+$/, (number) => String(Number(number) + 1));
}

function specOf({ schema }: Pick<DefinitionVersion, "schema">): StructuralSchema {
  return schema.openAPIV3Schema.properties!["spec"]!;
}

/** The schema of the new version during the migration. It accepts any observation, because the last one has the earlier types. */
function interimSchema(schema: StructuralSchema): StructuralSchema {
  const { spec, status, ...others } = schema.properties!;
  const atProvider = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  const properties = {
    ...others,
    spec: withoutChangeRules(spec!),
    status: { ...status, properties: { ...status!.properties, atProvider } },
  };
  return { ...schema, properties };
}

/** Removes the rules that compare with the old value: during the migration, the old value has the earlier type. */
function withoutChangeRules(schema: StructuralSchema): StructuralSchema {
  const { "x-kubernetes-validations": rules, properties, items, additionalProperties, ...rest } = schema;
  const kept = (rules ?? []).filter(({ rule }) => !rule.includes("oldSelf"));
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, withoutChangeRules(part)])),
    }),
    ...(items && { items: withoutChangeRules(items) }),
    ...(additionalProperties && { additionalProperties: withoutChangeRules(additionalProperties) }),
    ...(kept.length > 0 ? { "x-kubernetes-validations": kept } : {}),
  };
}
