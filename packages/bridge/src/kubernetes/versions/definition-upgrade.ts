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
import type { KindMapping } from "../mapping/mapping.ts";
import { incompatibleChanges, type SchemaChange } from "./schema-compatibility.ts";

/** How an installed definition becomes that of a changed resource type. */
export interface DefinitionUpgrade {
  /** Name of the version that objects have in the end. */
  readonly version: string;
  /** The definition in the end: it has this version only. */
  readonly definition: CustomResourceDefinition;
  /** Absent where the version stays, because the schemas are compatible. */
  readonly migration?: DefinitionMigration;
}

/** The way from one version to the next. */
export interface DefinitionMigration {
  readonly from: string;
  readonly to: string;
  /** Why the version cannot stay. */
  readonly changes: readonly SchemaChange[];
  /** The definition while objects are migrated: it has both versions, and in the new one no rules about changes. */
  readonly interim: CustomResourceDefinition;
  /** Schema of the new version. */
  readonly schema: StructuralSchema;
}

/**
 * Decides how a definition is upgraded: a compatible change keeps the version, another adds one. Changes of `status` are compatible, because
 * the next observation replaces it.
 *
 * @param installed - The definition as the API server has it.
 * @throws BridgeError `INVALID_OBJECT` where the definition is that of another resource type, or of another scope.
 */
export function upgradeDefinition(
  installed: CustomResourceDefinition,
  kind: KindMapping,
  options: Omit<DefinitionOptions, "version"> = {},
): DefinitionUpgrade {
  const { name } = installed.metadata;
  const owner = installed.metadata.annotations?.[typeNameAnnotation];
  if (owner !== kind.typeName) {
    const what = owner === undefined ? "no resource type" : `the resource type ${owner}`;
    throw new BridgeError(
      "INVALID_OBJECT",
      `the definition ${name} is that of ${what}, and not of ${kind.typeName}: delete it, or use another group`,
    );
  }
  if (installed.spec.scope !== kind.scope) {
    throw new BridgeError(
      "INVALID_OBJECT",
      `the definition ${name} has the scope ${installed.spec.scope}, which cannot become ${kind.scope}`,
    );
  }
  const stored = installed.spec.versions.find(({ storage }) => storage)!;
  const schema = fittingSchema(kind, options);
  const changes = incompatibleChanges(specOf(stored), specOf({ schema: { openAPIV3Schema: schema } }), ["spec"]);
  const version = changes.length === 0 ? stored.name : nextVersion(stored.name);
  const definition = customResourceDefinition(kind, { ...options, version });
  if (changes.length === 0) return { version, definition };
  const before: DefinitionVersion = { ...stored, storage: false };
  const after = definitionVersion(version, interimSchema(schema));
  const interim = { ...definition, spec: { ...definition.spec, versions: [before, after] } };
  return { version, definition, migration: { from: stored.name, to: version, changes, interim, schema } };
}

/** The version after this one: `v1alpha1`, `v1alpha2`; `v1`, `v2`. */
export function nextVersion(version: string): string {
  return version.replace(/\d+$/, (number) => String(Number(number) + 1));
}

function specOf({ schema }: Pick<DefinitionVersion, "schema">): StructuralSchema {
  return schema.openAPIV3Schema.properties!["spec"]!;
}

/** The schema of the new version while objects are migrated: their last observation may be of another type. */
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

/** Removes the rules that compare with the old value, which has another type during a migration. */
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
