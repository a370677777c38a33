// SPDX-License-Identifier: Apache-2.0
import { laterVersion, withVersion } from "../mapping/kind-version.ts";
import type { ConfigKindName, ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import { upgradeOf } from "./definition-upgrade.ts";
import { migratedConfigs } from "./migrated-kind.ts";
import { MigrationRun, type MigrationClient, type MigrationResult, type MigrationSettings } from "./migration-run.ts";

/** The result of {@link migrateConfigDefinitions} for one kind. */
export interface ConfigMigration extends MigrationResult {
  readonly kind: ConfigKindName;
}

/**
 * Installs the definitions of a provider's configurations and of their usages, or upgrades the installed ones, as `migrateDefinition` does for a
 * resource type. All of them have the same version afterwards: if one needs a new version, all objects are converted to it.
 *
 * @throws BridgeError `INCOMPATIBLE_SCHEMA` with the objects and fields that cannot be converted. Call {@link tryConfigMigration} before, so that
 *   nothing is changed then.
 */
export async function migrateConfigDefinitions(
  client: MigrationClient,
  mapping: ProviderConfigMapping,
  options: MigrationSettings = {},
): Promise<readonly ConfigMigration[]> {
  const results: ConfigMigration[] = [];
  for (const kind of migratedConfigs(await withCommonVersion(client, mapping, options))) {
    const name = kind.resource.kind as ConfigMigration["kind"];
    results.push({ kind: name, ...(await new MigrationRun(client, kind, options).run()) });
  }
  return results;
}

/** Tries the migration of all these definitions without changing anything. @throws As {@link migrateConfigDefinitions}. */
export async function tryConfigMigration(
  client: MigrationClient,
  mapping: ProviderConfigMapping,
  options: MigrationSettings = {},
): Promise<void> {
  for (const kind of migratedConfigs(await withCommonVersion(client, mapping, options))) {
    await new MigrationRun(client, kind, options).try();
  }
}

/** Chooses the version that all definitions have after their upgrade: the latest one that any of them needs. */
async function withCommonVersion(
  client: MigrationClient,
  mapping: ProviderConfigMapping,
  options: MigrationSettings,
): Promise<ProviderConfigMapping> {
  let version: string | undefined;
  for (const kind of migratedConfigs(mapping)) {
    const installed = await new MigrationRun(client, kind, options).readDefinition();
    const needed = installed && upgradeOf(installed, kind).version;
    version = version !== undefined && needed !== undefined ? laterVersion(version, needed) : (version ?? needed);
  }
  return version === undefined ? mapping : withVersion(mapping, version);
}
