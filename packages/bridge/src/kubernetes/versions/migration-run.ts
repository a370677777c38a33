// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import type { CustomResourceDefinition, DefinitionVersion } from "../crd/definition.ts";
import type { StructuralSchema } from "../crd/structural-schema.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { ApiError, isConflict, isNotFound } from "../machinery/client/api-error.ts";
import { customResourceDefinitions, type ApiResource } from "../machinery/client/api-resource.ts";
import { upgradeOf } from "./definition-upgrade.ts";
import type { MigratedKind } from "./migrated-kind.ts";
import { convertedObject, isConverted, type StoredObject } from "./object-conversion.ts";
import { schemaProbe } from "./schema-probe.ts";

/** The methods of a client that a migration calls. The client must be allowed to read and write definitions, and objects of the kind with their status. */
export type MigrationClient = Pick<ApiClient, "find" | "list" | "create" | "replace" | "mergePatch">;

/** The result of the migration of a definition. */
export interface MigrationResult {
  /** The version that objects have now. */
  readonly version: string;
  readonly action: "created" | "updated" | "migrated";
  /** Number of converted objects. */
  readonly converted: number;
}

/** Settings of a {@link MigrationRun}. */
export interface MigrationSettings {
  /** Version of a definition that is not installed yet, unless its kind has one. Default: `v1alpha1`. */
  readonly initialVersion?: string;
  readonly signal?: AbortSignal;
}

/** The installed definition, with the fields that the API server adds. */
interface InstalledDefinition extends CustomResourceDefinition {
  readonly metadata: CustomResourceDefinition["metadata"] & { readonly resourceVersion: string };
  readonly status: { readonly storedVersions: readonly string[] };
}

/** The installation or upgrade of one definition, with its objects. */
export class MigrationRun {
  readonly #client: MigrationClient;
  readonly #kind: MigratedKind;
  readonly #settings: MigrationSettings;
  readonly #name: string;

  constructor(client: MigrationClient, kind: MigratedKind, settings: MigrationSettings = {}) {
    this.#client = client;
    this.#kind = kind;
    this.#settings = settings;
    this.#name = `${kind.resource.plural}.${kind.resource.group}`;
  }

  /** Completes an interrupted migration, and installs or upgrades the definition. @throws BridgeError `INCOMPATIBLE_SCHEMA`; nothing was changed. */
  async run(): Promise<MigrationResult> {
    const installed = await this.readDefinition();
    if (installed === undefined) return await this.#install();
    const completed = await this.#complete(installed);
    return await this.#upgrade((await this.readDefinition())!, completed);
  }

  /** Reads the installed definition. */
  async readDefinition(): Promise<InstalledDefinition | undefined> {
    return await this.#client.find<InstalledDefinition>(customResourceDefinitions, { name: this.#name });
  }

  async #install(): Promise<MigrationResult> {
    const { initialVersion = "v1alpha1" } = this.#settings;
    const { version = initialVersion } = this.#kind;
    await this.#client.create(customResourceDefinitions, this.#kind.definition(version));
    await this.#waitUntilServed(version);
    return { version, action: "created", converted: 0 };
  }

  /** Tries the migration without changing anything. @throws BridgeError `INCOMPATIBLE_SCHEMA` */
  async try(): Promise<void> {
    const installed = await this.readDefinition();
    if (installed === undefined) return;
    const { stored, before } = versionsOf(installed);
    if (before) return this.#checkConversion(await this.#objects(before.name), stored.name, stored.schema.openAPIV3Schema);
    const { migration } = upgradeOf(installed, this.#kind);
    if (migration) this.#checkConversion(await this.#objects(migration.from), migration.to, migration.schema);
  }

  /** Completes an interrupted migration. Returns the number of objects that it converted. */
  async #complete(installed: InstalledDefinition): Promise<number> {
    const { stored, before } = versionsOf(installed);
    if (before === undefined) return 0;
    const schema = stored.schema.openAPIV3Schema;
    this.#checkConversion(await this.#objects(before.name), stored.name, schema);
    const converted = await this.#convertAll(before.name, stored.name, schema);
    await this.#replaceDefinition({ ...installed, spec: { ...installed.spec, versions: [stored] } }, stored.name);
    await this.#waitUntilRemoved(before.name);
    return converted;
  }

  /** Upgrades the definition. @param completed - Number of objects that the completion of an interrupted migration has converted. */
  async #upgrade(installed: InstalledDefinition, completed: number): Promise<MigrationResult> {
    const { version, definition, migration } = upgradeOf(installed, this.#kind);
    if (migration === undefined) {
      await this.#replaceDefinition(definition);
      await this.#waitUntilAdopted(installed, definition);
      return { version, action: completed > 0 ? "migrated" : "updated", converted: completed };
    }
    const { from, to, schema, interim } = migration;
    this.#checkConversion(await this.#objects(from), to, schema);
    await this.#replaceDefinition(interim);
    await this.#waitUntilServed(to);
    const converted = await this.#convertAll(from, to, schema);
    await this.#replaceDefinition(definition, to);
    await this.#waitUntilRemoved(from);
    await this.#waitUntilServed(to);
    return { version, action: "migrated", converted: completed + converted };
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
    this.#settings.signal?.throwIfAborted();
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }

  /** Waits until the API server uses a changed definition whose version is the same. */
  async #waitUntilAdopted(before: CustomResourceDefinition, after: CustomResourceDefinition): Promise<void> {
    const [{ name, schema }] = after.spec.versions as readonly [DefinitionVersion];
    const earlier = before.spec.versions.find((version) => version.name === name)!;
    const probe = schemaProbe(earlier.schema.openAPIV3Schema, schema.openAPIV3Schema);
    if (probe === undefined) return;
    const namespace = this.#kind.resource.namespaced ? { namespace: "default" } : {};
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
      objects.push(...page.items.filter((object) => later === undefined || !isConverted(object, this.#kind, later)));
      next = page.metadata.continue;
      if (next === undefined || next === "") return objects;
    }
  }

  /** Tries the conversion of objects, without writing any. @throws BridgeError `INCOMPATIBLE_SCHEMA` */
  #checkConversion(objects: readonly StoredObject[], to: string, schema: StructuralSchema): void {
    const failures = objects
      .filter((object) => !isConverted(object, this.#kind, to))
      .flatMap((object) =>
        convertedObject(object, this.#kind, to, schema).problems.map(({ path, reason }) => `${nameOf(object)}: ${path} ${reason}`),
      );
    if (failures.length === 0) return;
    const { subject, resource } = this.#kind;
    const more = failures.length > 10 ? `; and ${failures.length - 10} more` : "";
    throw new BridgeError(
      "INCOMPATIBLE_SCHEMA",
      `the schema of ${subject} has changed, and objects of ${resource.plural}.${resource.group} cannot be converted: ${failures.slice(0, 10).join("; ")}${more}. ` +
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
        this.#settings.signal?.throwIfAborted();
        if (await this.#convert(object, to, schema)) converted += 1;
      }
    }
  }

  /**
   * Writes one object in the new version. Returns false if the object was changed or deleted since it was read. Objects must not be written in
   * the old version: the API server would store them under the name of the new version, and drop the fields that the new version lacks.
   */
  async #convert(stored: StoredObject, to: string, schema: StructuralSchema): Promise<boolean> {
    const { object, problems } = convertedObject(stored, this.#kind, to, schema);
    if (problems.length > 0) this.#checkConversion([stored], to, schema);
    const { name, namespace } = object.metadata;
    const reference = { name, ...(namespace === undefined ? {} : { namespace }) };
    try {
      await this.#client.replace(this.#resource(to), object);
      // The observed state may have other types now. The next observation sets it again.
      if (this.#kind.hasObservation)
        await this.#client.mergePatch(this.#resource(to), reference, { status: { atProvider: null } }, { subresource: "status" });
      return true;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  #resource(version: string): ApiResource {
    return { ...this.#kind.resource, version };
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

function nameOf({ metadata: { name, namespace } }: StoredObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
