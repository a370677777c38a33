// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import { typeNameAnnotation, type CustomResourceDefinition, type DefinitionOptions, type DefinitionVersion } from "../crd/definition.ts";
import type { StructuralSchema } from "../crd/structural-schema.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { migratedResource, type MigratedKind } from "./migrated-kind.ts";
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
  return upgradeOf(installed, migratedResource(kind, options));
}

/** As {@link upgradeDefinition}, for any kind. */
export function upgradeOf(installed: CustomResourceDefinition, kind: MigratedKind): DefinitionUpgrade {
  const stored = installed.spec.versions.find(({ storage }) => storage)!;
  const current = kind.definition(stored.name);
  assertReplaceable(installed, current);
  const { schema } = current.spec.versions[0]!;
  const changes = incompatibleChanges(desiredPart(stored.schema), desiredPart(schema));
  const { version: wanted = stored.name } = kind;
  const version = wanted !== stored.name || changes.length === 0 ? wanted : nextVersion(stored.name);
  if (version === stored.name) return { version, definition: current };
  const definition = kind.definition(version);
  const [later] = definition.spec.versions as readonly [DefinitionVersion];
  const before: DefinitionVersion = { ...stored, storage: false };
  const after: DefinitionVersion = { ...later, schema: { openAPIV3Schema: interimSchema(schema.openAPIV3Schema) } };
  const interim = { ...definition, spec: { ...definition.spec, versions: [before, after] } };
  return { version, definition, migration: { from: stored.name, to: version, changes, interim, schema: schema.openAPIV3Schema } };
}

/** @throws BridgeError `INVALID_OBJECT` if a definition belongs to another resource type than the later one, or has another scope. */
function assertReplaceable(installed: CustomResourceDefinition, later: CustomResourceDefinition): void {
  const { name } = installed.metadata;
  const [owner, ofLater] = [installed, later].map(({ metadata }) => metadata.annotations?.[typeNameAnnotation]);
  if (owner !== ofLater) {
    const actual = owner === undefined ? "no resource type" : `the resource type ${owner}`;
    throw new BridgeError(
      "INVALID_OBJECT",
      `the definition ${name} belongs to ${actual}, and not to ${ofLater}: delete it, or use another group`,
    );
  }
  if (installed.spec.scope !== later.spec.scope) {
    throw new BridgeError(
      "INVALID_OBJECT",
      `the definition ${name} has the scope ${installed.spec.scope}, which cannot be changed to ${later.spec.scope}: delete the definition, or use another group`,
    );
  }
}

/** The version that follows: `v1alpha2` after `v1alpha1`, `v2` after `v1`. */
export function nextVersion(version: string): string {
  return version.replace(/\d+$/, (number) => String(Number(number) + 1));
}

/** The part of a schema that users write: all but the metadata and the status, which the next observation replaces. */
function desiredPart({ openAPIV3Schema }: DefinitionVersion["schema"]): StructuralSchema {
  const { apiVersion: _, kind: _kind, metadata: _metadata, status: _status, ...properties } = openAPIV3Schema.properties!;
  return { ...openAPIV3Schema, properties };
}

/** The schema of the new version during the migration. It accepts any observation, because the last one has the earlier types. */
function interimSchema(schema: StructuralSchema): StructuralSchema {
  const { status, ...others } = schema.properties!;
  const desired = Object.entries(others).map(([name, part]) => [name, withoutChangeRules(part)] as const);
  return { ...schema, properties: { ...Object.fromEntries(desired), ...(status ? { status: withAnyObservation(status) } : {}) } };
}

function withAnyObservation(status: StructuralSchema): StructuralSchema {
  if (status.properties?.["atProvider"] === undefined) return status;
  const atProvider = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  return { ...status, properties: { ...status.properties, atProvider } };
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
