// SPDX-License-Identifier: Apache-2.0
import type { DefinitionOptions } from "../crd/definition.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { FieldMoves } from "../mapping/resource-rules.ts";
import { MigrationRun, type MigrationClient, type MigrationResult } from "./migration-run.ts";
import { migratedResource } from "./migrated-kind.ts";

/** Options of {@link migrateDefinition}. */
export interface MigrationOptions extends Omit<DefinitionOptions, "version"> {
  /** Version of a definition that is not installed yet, unless its rules have one. Default: `v1alpha1`. */
  readonly initialVersion?: string;
  /** Fields that the new schema has renamed or removed. Default: those of the rules. */
  readonly moves?: FieldMoves;
  readonly signal?: AbortSignal;
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
  return await new MigrationRun(client, migratedResource(kind, options), options).run();
}

/**
 * Tries the migration of a definition without changing anything.
 *
 * @throws As {@link migrateDefinition}. The completion of an interrupted migration is tried, but not the migration that follows it.
 */
export async function tryMigration(client: MigrationClient, kind: KindMapping, options: MigrationOptions = {}): Promise<void> {
  await new MigrationRun(client, migratedResource(kind, options), options).try();
}
