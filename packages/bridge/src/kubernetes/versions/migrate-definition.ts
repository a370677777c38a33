// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import {
  customResourceDefinition,
  type CustomResourceDefinition,
  type DefinitionOptions,
  type DefinitionVersion,
} from "../crd/definition.ts";
import { policiesWithoutChanges } from "../crd/management-policies.ts";
import type { StructuralSchema } from "../crd/structural-schema.ts";
import { kindVersion } from "../mapping/kind-version.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { FieldMoves } from "../mapping/resource-rules.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { ApiError, isConflict, isNotFound } from "../machinery/client/api-error.ts";
import { customResourceDefinitions, type ApiResource } from "../machinery/client/api-resource.ts";
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import type { FieldProblem } from "../values/field-path.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../values/json-value.ts";
import { convertedParameters } from "./converted-json.ts";
import { schemaProbe } from "./schema-probe.ts";
import { upgradeDefinition } from "./definition-upgrade.ts";

/** The methods of a client that a migration calls. The client must be allowed to read and write definitions, and objects of the kind with their status. */
export type MigrationClient = Pick<ApiClient, "find" | "list" | "create" | "replace" | "mergePatch">;

/** Options of {@link migrateDefinition}. */
export interface MigrationOptions extends Omit<DefinitionOptions, "version"> {
  /** Version of a definition that is not installed yet, unless its rules have one. Default: `v1alpha1`. */
  readonly initialVersion?: string;
  /** Fields that the new schema has renamed or removed. Default: those of the rules. */
  readonly moves?: FieldMoves;
  readonly signal?: AbortSignal;
}

/** The result of {@link migrateDefinition}. */
export interface MigrationResult {
  /** The version that objects have now. */
  readonly version: string;
  readonly action: "created" | "updated" | "migrated";
  /** Number of converted objects. */
  readonly converted: number;
}

/**
 * Installs the definition of a kind, or upgrades the installed one. A compatible change keeps the version. An incompatible change adds a
 * version, converts every object to it once, and removes the old version. An interrupted migration is completed first.
 *
 * No controller may reconcile objects of the kind during the migration. The conversion of all objects is tried before anything is changed. The
 * API server accepts a changed definition first and enforces its validation rules a moment later, possibly after this function has returned.
 *
 * @throws BridgeError `INCOMPATIBLE_SCHEMA` with the objects and fields that cannot be converted; nothing was changed.
 *   ApiError if the API server rejects a request.
 */
export async function migrateDefinition(
  client: MigrationClient,
  kind: KindMapping,
  options: MigrationOptions = {},
): Promise<MigrationResult> {
  const run = new Migration(client, kind, options);
  const installed = await run.readDefinition();
  if (installed === undefined) return await run.install();
  const finished = await run.complete(installed);
  return await run.upgrade((await run.readDefinition())!, finished);
}

/**
 * Tries the migration of a definition without changing anything.
 *
 * @throws As {@link migrateDefinition}. The completion of an interrupted migration is tried, but not the migration that follows it.
 */
export async function tryMigration(client: MigrationClient, kind: KindMapping, options: MigrationOptions = {}): Promise<void> {
  await new Migration(client, kind, options).try();
}

/** The installed definition, with the fields that the API server adds. */
interface InstalledDefinition extends CustomResourceDefinition {
  readonly metadata: CustomResourceDefinition["metadata"] & { readonly resourceVersion: string };
  readonly status: { readonly storedVersions: readonly string[] };
}

class Migration {
  readonly #client: MigrationClient;
  readonly #kind: KindMapping;
  readonly #options: MigrationOptions;
  readonly #name: string;

  constructor(client: MigrationClient, kind: KindMapping, options: MigrationOptions) {
    this.#client = client;
    this.#kind = kind;
    this.#options = options;
    this.#name = `${kind.names.plural}.${kind.group}`;
  }

  async readDefinition(): Promise<InstalledDefinition | undefined> {
    return await this.#client.find<InstalledDefinition>(customResourceDefinitions, { name: this.#name });
  }

  async install(): Promise<MigrationResult> {
    const { initialVersion, ...options } = this.#options;
    const version = kindVersion(this.#kind, initialVersion);
    await this.#client.create(customResourceDefinitions, customResourceDefinition(this.#kind, { ...options, version }));
    await this.#waitUntilServed(version);
    return { version, action: "created", converted: 0 };
  }

  async try(): Promise<void> {
    const installed = await this.readDefinition();
    if (installed === undefined) return;
    const { stored, before } = versionsOf(installed);
    if (before) return this.#checkConversion(await this.#objects(before.name), stored.name, stored.schema.openAPIV3Schema);
    const { migration } = upgradeDefinition(installed, this.#kind, this.#options);
    if (migration) this.#checkConversion(await this.#objects(migration.from), migration.to, migration.schema);
  }

  /** Completes an interrupted migration. Returns the number of objects that it converted. */
  async complete(installed: InstalledDefinition): Promise<number> {
    const { stored, before } = versionsOf(installed);
    if (before === undefined) return 0;
    const schema = stored.schema.openAPIV3Schema;
    this.#checkConversion(await this.#objects(before.name), stored.name, schema);
    const converted = await this.#convertAll(before.name, stored.name, schema);
    await this.#replaceDefinition({ ...installed, spec: { ...installed.spec, versions: [stored] } }, stored.name);
    await this.#waitUntilRemoved(before.name);
    return converted;
  }

  async upgrade(installed: InstalledDefinition, finished: number): Promise<MigrationResult> {
    const { version, definition, migration } = upgradeDefinition(installed, this.#kind, this.#options);
    if (migration === undefined) {
      await this.#replaceDefinition(definition);
      await this.#waitUntilAdopted(installed, definition);
      return { version, action: finished > 0 ? "migrated" : "updated", converted: finished };
    }
    const { from, to, schema, interim } = migration;
    this.#checkConversion(await this.#objects(from), to, schema);
    await this.#replaceDefinition(interim);
    await this.#waitUntilServed(to);
    const converted = await this.#convertAll(from, to, schema);
    await this.#replaceDefinition(definition, to);
    await this.#waitUntilRemoved(from);
    await this.#waitUntilServed(to);
    return { version, action: "migrated", converted: finished + converted };
  }

  /** Replaces the definition. @param storedVersion - The version that all objects have, so that the API server may forget the others. */
  async #replaceDefinition(definition: CustomResourceDefinition, storedVersion?: string): Promise<void> {
    const reference = { name: this.#name };
    if (storedVersion !== undefined) {
      const patch = { status: { storedVersions: [storedVersion] } };
      await this.#client.mergePatch(customResourceDefinitions, reference, patch, { subresource: "status" });
    }
    const { resourceVersion } = (await this.readDefinition())!.metadata;
    const replaced = { ...definition, metadata: { ...definition.metadata, resourceVersion } };
    await this.#client.replace(customResourceDefinitions, replaced);
  }

  /** Waits until the API server serves a version. */
  async #waitUntilServed(version: string): Promise<void> {
    while (!(await this.#isServed(version))) await this.#pause();
  }

  /** Waits until the API server no longer serves a version, which shows that it uses the definition without that version. */
  async #waitUntilRemoved(version: string): Promise<void> {
    while (await this.#isServed(version)) await this.#pause();
  }

  async #isServed(version: string): Promise<boolean> {
    try {
      await this.#client.list(this.#resource(version), { limit: 1 });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #pause(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }

  /** Waits until the API server uses a changed definition whose version is the same. */
  async #waitUntilAdopted(before: CustomResourceDefinition, after: CustomResourceDefinition): Promise<void> {
    const [{ name, schema }] = after.spec.versions as readonly [DefinitionVersion];
    const earlier = before.spec.versions.find((version) => version.name === name)!;
    const probe = schemaProbe(earlier.schema.openAPIV3Schema, schema.openAPIV3Schema);
    if (probe === undefined) return;
    const namespace = this.#kind.scope === "Namespaced" ? { namespace: "default" } : {};
    const object = { ...probe.parts, metadata: { name: "schema-probe", ...namespace } };
    for (;;) {
      try {
        await this.#client.create(this.#resource(name), object, { dryRun: true, fieldValidation: "Strict" });
        return;
      } catch (error) {
        // The probe may be invalid in other ways, which the API server checks later.
        if (!(error instanceof ApiError) || !error.detail.includes(`unknown field "${probe.field}"`)) return;
      }
      await this.#pause();
    }
  }

  /** Lists all objects of a version; with `later`, only those that are not converted to that version yet. */
  async #objects(version: string, later?: string): Promise<readonly StoredObject[]> {
    const objects: StoredObject[] = [];
    for (let next: string | undefined; ;) {
      const page = await this.#client.list<StoredObject>(this.#resource(version), {
        limit: 500,
        ...(next === undefined ? {} : { continue: next }),
      });
      objects.push(...page.items.filter((object) => later === undefined || !this.#isConverted(object, later)));
      next = page.metadata.continue;
      if (next === undefined || next === "") return objects;
    }
  }

  /** Tries the conversion of objects, without writing any. @throws BridgeError `INCOMPATIBLE_SCHEMA` */
  #checkConversion(objects: readonly StoredObject[], to: string, schema: StructuralSchema): void {
    const failures = objects
      .filter((object) => !this.#isConverted(object, to))
      .flatMap((object) =>
        this.#convertedObject(object, to, schema).problems.map(({ path, reason }) => `${nameOf(object)}: ${path} ${reason}`),
      );
    if (failures.length === 0) return;
    const { typeName, names, group } = this.#kind;
    const more = failures.length > 10 ? `; and ${failures.length - 10} more` : "";
    throw new BridgeError(
      "INCOMPATIBLE_SCHEMA",
      `the schema of ${typeName} has changed, and objects of ${names.plural}.${group} cannot be converted: ${failures.slice(0, 10).join("; ")}${more}. ` +
        "Change these objects, or list the renamed and removed fields as `moves` in the rules",
    );
  }

  async #convertAll(from: string, to: string, schema: StructuralSchema): Promise<number> {
    let converted = 0;
    // Clients may create and change objects during the loop.
    for (;;) {
      const remaining = await this.#objects(from, to);
      if (remaining.length === 0) return converted;
      for (const object of remaining) {
        this.#options.signal?.throwIfAborted();
        if (await this.#convert(object, to, schema)) converted += 1;
      }
    }
  }

  /**
   * Writes one object in the new version. Returns false if the object was changed or deleted since it was read. Objects must not be written in
   * the old version: the API server would store them under the name of the new version, and drop the fields that the new version lacks.
   */
  async #convert(stored: StoredObject, to: string, schema: StructuralSchema): Promise<boolean> {
    const { object, problems } = this.#convertedObject(stored, to, schema);
    if (problems.length > 0) this.#checkConversion([stored], to, schema);
    const { name, namespace } = object.metadata;
    const reference = { name, ...(namespace === undefined ? {} : { namespace }) };
    try {
      await this.#client.replace(this.#resource(to), object);
      // The observed state may have other types now. The next observation sets it again.
      await this.#client.mergePatch(this.#resource(to), reference, { status: { atProvider: null } }, { subresource: "status" });
      return true;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  /** Whether an object was converted to a version, or a client wrote it in that version. */
  #isConverted({ metadata: { annotations = {}, managedFields = [] } }: StoredObject, version: string): boolean {
    const apiVersion = `${this.#kind.group}/${version}`;
    const isWritten = managedFields.some((entry) => entry.apiVersion === apiVersion && entry.subresource === undefined);
    return isWritten || annotations[convertedAnnotation] === version;
  }

  #convertedObject(
    object: StoredObject,
    to: string,
    schema: StructuralSchema,
  ): { readonly object: StoredObject; readonly problems: readonly FieldProblem[] } {
    const { properties = {} } = schema.properties!["spec"]!;
    const { moves = this.#kind.rules.moves } = this.#options;
    const spec = { ...object.spec } as Record<string, JsonValue>;
    const problems: FieldProblem[] = [];
    for (const part of ["forProvider", "initProvider"] as const) {
      const given = spec[part];
      if (!isJsonObject(given)) continue;
      const converted = convertedParameters(properties[part] ?? {}, given, ["spec", part], moves);
      spec[part] = converted.json;
      problems.push(...converted.problems);
    }
    problems.push(...this.#missingParameters(spec));
    const annotations = { ...object.metadata.annotations, [convertedAnnotation]: to };
    const converted = { ...object, apiVersion: `${this.#kind.group}/${to}`, metadata: { ...object.metadata, annotations }, spec };
    return { object: converted, problems };
  }

  /** Required parameters that neither part of the spec sets. None, if the policies exclude creation and updates. */
  #missingParameters({ forProvider, initProvider, managementPolicies }: JsonObject): readonly FieldProblem[] {
    const policies: readonly unknown[] = isJsonArray(managementPolicies) ? managementPolicies : ["*"];
    if (policies.every((policy) => (policiesWithoutChanges as readonly unknown[]).includes(policy))) return [];
    const has = (part: JsonValue | undefined, name: string): boolean => isJsonObject(part) && Object.hasOwn(part, name);
    return [...this.#kind.fields.byParameter]
      .filter(([name, { parameter }]) => parameter === "required" && !has(forProvider, name) && !has(initProvider, name))
      .map(([name]) => ({ path: `spec.forProvider.${name}`, reason: "is required, and the object does not set it" }));
  }

  #resource(version: string): ApiResource {
    const { group, names, scope } = this.#kind;
    return { group, version, kind: names.kind, plural: names.plural, namespaced: scope === "Namespaced" };
  }
}

/** The versions of an installed definition: the one that is stored, and during a migration the earlier one. */
function versionsOf({ spec: { versions } }: InstalledDefinition): {
  readonly stored: DefinitionVersion;
  readonly before: DefinitionVersion | undefined;
} {
  const stored = versions.find(({ storage }) => storage)!;
  return { stored, before: versions.find(({ name }) => name !== stored.name) };
}

/** Annotation of an object: the version that it was converted to. */
const convertedAnnotation = "tenon.dev/converted-to";

interface StoredObject extends KubernetesObject {
  readonly metadata: KubernetesObject["metadata"] & {
    readonly managedFields?: readonly { readonly apiVersion?: string; readonly subresource?: string }[];
  };
  readonly spec: JsonObject;
}

function nameOf({ metadata: { name, namespace } }: StoredObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
