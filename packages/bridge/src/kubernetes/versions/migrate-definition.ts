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
import type { KindMapping } from "../mapping/mapping.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { ApiError, isConflict, isNotFound } from "../machinery/client/api-error.ts";
import { customResourceDefinitions, type ApiResource } from "../machinery/client/api-resource.ts";
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import type { FieldProblem } from "../values/field-path.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../values/json-value.ts";
import { convertedParameters, type FieldMoves } from "./converted-json.ts";
import { schemaProbe } from "./schema-probe.ts";
import { upgradeDefinition } from "./definition-upgrade.ts";

/** What a migration needs of a client: rights to read and write definitions, and the objects of the kind with their status. */
export type MigrationClient = Pick<ApiClient, "find" | "list" | "create" | "replace" | "mergePatch">;

/** Options of {@link migrateDefinition}. */
export interface MigrationOptions extends Omit<DefinitionOptions, "version"> {
  /** Version of a definition that is not installed yet. Default: `v1alpha1`. */
  readonly initialVersion?: string;
  /** Fields that are renamed or dropped. */
  readonly moves?: FieldMoves;
  readonly signal?: AbortSignal;
}

/** What {@link migrateDefinition} has done. */
export interface MigrationResult {
  /** Version that objects have. */
  readonly version: string;
  readonly action: "created" | "updated" | "migrated";
  /** Number of objects that were converted. */
  readonly converted: number;
}

/**
 * Installs the definition of a kind, or upgrades the installed one. A compatible change keeps the version. Another adds a version, converts
 * every object to it once, and removes the old version. A migration that was interrupted is finished first.
 *
 * Nothing may reconcile objects of the kind meanwhile. Before anything is changed, the conversion of all objects is tried. The API server
 * enforces the validation rules of a changed definition only a moment after it has accepted them, which may be after the return.
 *
 * @throws BridgeError `INCOMPATIBLE_SCHEMA` with the objects and fields that cannot be converted: nothing has been changed then.
 *   ApiError where the API server refuses a request.
 */
export async function migrateDefinition(
  client: MigrationClient,
  kind: KindMapping,
  options: MigrationOptions = {},
): Promise<MigrationResult> {
  const run = new Migration(client, kind, options);
  const installed = await run.readDefinition();
  if (installed === undefined) return await run.create();
  const finished = await run.finish(installed);
  return await run.upgrade((await run.readDefinition())!, finished);
}

/** The installed definition, with what the API server adds. */
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

  async create(): Promise<MigrationResult> {
    const { initialVersion: version = "v1alpha1", ...options } = this.#options;
    await this.#client.create(customResourceDefinitions, customResourceDefinition(this.#kind, { ...options, version }));
    await this.#served(version);
    return { version, action: "created", converted: 0 };
  }

  /** Finishes a migration that was interrupted; returns the number of objects that it converted. */
  async finish(installed: InstalledDefinition): Promise<number> {
    const { versions } = installed.spec;
    const stored = versions.find(({ storage }) => storage)!;
    const before = versions.find(({ name }) => name !== stored.name);
    if (before === undefined) return 0;
    const schema = stored.schema.openAPIV3Schema;
    this.#tryAll(await this.#objects(before.name), stored.name, schema);
    const converted = await this.#convertAll(before.name, stored.name, schema);
    await this.#replaceDefinition({ ...installed, spec: { ...installed.spec, versions: [stored] } }, stored.name);
    await this.#removed(before.name);
    return converted;
  }

  async upgrade(installed: InstalledDefinition, finished: number): Promise<MigrationResult> {
    const { version, definition, migration } = upgradeDefinition(installed, this.#kind, this.#options);
    if (migration === undefined) {
      await this.#replaceDefinition(definition);
      await this.#adopted(installed, definition);
      return { version, action: finished > 0 ? "migrated" : "updated", converted: finished };
    }
    const { from, to, schema, interim } = migration;
    this.#tryAll(await this.#objects(from), to, schema);
    await this.#replaceDefinition(interim);
    await this.#served(to);
    const converted = await this.#convertAll(from, to, schema);
    await this.#replaceDefinition(definition, to);
    await this.#removed(from);
    await this.#served(to);
    return { version, action: "migrated", converted: finished + converted };
  }

  /** Replaces the definition. @param only - The version that all objects have: the API server forgets others. */
  async #replaceDefinition(definition: CustomResourceDefinition, only?: string): Promise<void> {
    const reference = { name: this.#name };
    if (only !== undefined) {
      const patch = { status: { storedVersions: [only] } };
      await this.#client.mergePatch(customResourceDefinitions, reference, patch, { subresource: "status" });
    }
    const { resourceVersion } = (await this.readDefinition())!.metadata;
    const replaced = { ...definition, metadata: { ...definition.metadata, resourceVersion } };
    await this.#client.replace(customResourceDefinitions, replaced);
  }

  /** Waits until the API server serves a version. */
  async #served(version: string): Promise<void> {
    while (!(await this.#isServed(version))) await this.#pause();
  }

  /** Waits until the API server no longer serves a version: then it has adopted the definition without it. */
  async #removed(version: string): Promise<void> {
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

  /** Waits until the API server has changed from one definition to another that has the same version. */
  async #adopted(before: CustomResourceDefinition, after: CustomResourceDefinition): Promise<void> {
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
        // The object may have other faults, which the API server finds later.
        if (!(error instanceof ApiError) || !error.detail.includes(`unknown field "${probe.field}"`)) return;
      }
      await this.#pause();
    }
  }

  /** All objects of a version that have not been converted to a later one. */
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

  /** Tries to convert all objects. */
  #tryAll(objects: readonly StoredObject[], to: string, schema: StructuralSchema): void {
    const failures = objects
      .filter((object) => !this.#isConverted(object, to))
      .flatMap((object) => this.#converted(object, to, schema).problems.map(({ path, reason }) => `${nameOf(object)}: ${path} ${reason}`));
    if (failures.length === 0) return;
    const { typeName, names, group } = this.#kind;
    const more = failures.length > 10 ? `; and ${failures.length - 10} more` : "";
    throw new BridgeError(
      "INCOMPATIBLE_SCHEMA",
      `the schema of ${typeName} has changed, and objects of ${names.plural}.${group} cannot be converted: ${failures.slice(0, 10).join("; ")}${more}. ` +
        "Change these objects, or say with `moves` which fields are renamed or dropped",
    );
  }

  async #convertAll(from: string, to: string, schema: StructuralSchema): Promise<number> {
    let converted = 0;
    // Objects may be created, and change, meanwhile.
    for (;;) {
      const left = await this.#objects(from, to);
      if (left.length === 0) return converted;
      for (const object of left) {
        this.#options.signal?.throwIfAborted();
        if (await this.#convert(object, to, schema)) converted += 1;
      }
    }
  }

  /**
   * Writes one object in the new version; returns false if it has changed meanwhile. Nothing may be written in the old version: the API server
   * would store it with the name of the new one, and drop the fields that the new one does not have.
   */
  async #convert(stored: StoredObject, to: string, schema: StructuralSchema): Promise<boolean> {
    const { object, problems } = this.#converted(stored, to, schema);
    if (problems.length > 0) this.#tryAll([stored], to, schema);
    const { name, namespace } = object.metadata;
    const reference = { name, ...(namespace === undefined ? {} : { namespace }) };
    try {
      await this.#client.replace(this.#resource(to), object);
      // What the provider reports may have another type now; the next observation sets it again.
      await this.#client.mergePatch(this.#resource(to), reference, { status: { atProvider: null } }, { subresource: "status" });
      return true;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  /** Whether an object has been converted to a version, or written in it by a client. */
  #isConverted({ metadata: { annotations = {}, managedFields = [] } }: StoredObject, version: string): boolean {
    const apiVersion = `${this.#kind.group}/${version}`;
    const isWritten = managedFields.some((entry) => entry.apiVersion === apiVersion && entry.subresource === undefined);
    return isWritten || annotations[convertedAnnotation] === version;
  }

  #converted(
    object: StoredObject,
    to: string,
    schema: StructuralSchema,
  ): { readonly object: StoredObject; readonly problems: readonly FieldProblem[] } {
    const { properties = {} } = schema.properties!["spec"]!;
    const { moves } = this.#options;
    const spec = { ...object.spec } as Record<string, JsonValue>;
    const problems: FieldProblem[] = [];
    for (const part of ["forProvider", "initProvider"] as const) {
      const given = spec[part];
      if (!isJsonObject(given)) continue;
      const converted = convertedParameters(properties[part] ?? {}, given, ["spec", part], moves);
      spec[part] = converted.json;
      problems.push(...converted.problems);
    }
    problems.push(...this.#missing(spec));
    const annotations = { ...object.metadata.annotations, [convertedAnnotation]: to };
    const converted = { ...object, apiVersion: `${this.#kind.group}/${to}`, metadata: { ...object.metadata, annotations }, spec };
    return { object: converted, problems };
  }

  /** Required parameters that neither part has, unless the policies exclude changes. */
  #missing({ forProvider, initProvider, managementPolicies }: JsonObject): readonly FieldProblem[] {
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

/** Annotation of an object with the version that it was converted to. */
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
