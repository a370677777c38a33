// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { liveHolders } from "../machinery/lease/live-holders.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { migrateConfigDefinitions, tryConfigMigration, type ConfigMigration } from "../versions/migrate-config-definitions.ts";
import { migrateDefinition, tryMigration, type MigrationOptions } from "../versions/migrate-definition.ts";
import type { MigrationResult } from "../versions/migration-run.ts";
import { definitionOptionsOf, readMappings, type OperatorDefinition, type OperatorMappings } from "./operator-definition.ts";
import { updateOwnerVersions } from "./owner-versions.ts";

/** Options of {@link migrateDefinitions}. */
export interface OperatorMigrationOptions {
  /** Client with permissions for definitions, for the objects of the kinds and of configurations, for Secrets, and to list Leases. */
  readonly client: ApiClient;
  /** Namespace of the operator. Default: its name. */
  readonly namespace?: string | undefined;
  readonly signal?: AbortSignal;
}

/** The result of {@link migrateDefinitions}. */
export interface OperatorMigration {
  readonly kinds: readonly KindMigration[];
  /** The kinds of configurations and usages; empty for a provider with a fixed configuration. */
  readonly configs: readonly ConfigMigration[];
}

/** The result of {@link migrateDefinitions} for one kind. */
export interface KindMigration extends MigrationResult {
  readonly kind: KindMapping;
}

/**
 * Installs the definitions of an operator, or upgrades the installed ones and converts the objects, as `migrateDefinition` does for one kind, and
 * `migrateConfigDefinitions` for configurations. Then it corrects the versions in references to the objects. The migration of all kinds is tried before
 * anything is changed. An interrupted migration is completed by the next one.
 *
 * @throws BridgeError `OPERATOR_RUNNING` if replicas of the operator are running. `INCOMPATIBLE_SCHEMA` with the objects and fields that cannot be
 *   converted. Nothing was changed then.
 */
export async function migrateDefinitions(
  definition: OperatorDefinition,
  { client, namespace = definition.name, signal }: OperatorMigrationOptions,
): Promise<OperatorMigration> {
  const { name } = definition;
  const mappings = await readMappings(definition);
  const { config } = mappings;
  const holders = await liveHolders({ client, namespace, group: name, signal });
  if (holders.length > 0) {
    const message =
      `${name} is running (${holders.join(", ")}), and objects cannot be migrated meanwhile: stop it, for example with ` +
      `kubectl scale deployment/${name} --namespace ${namespace} --replicas 0`;
    throw new BridgeError("OPERATOR_RUNNING", message);
  }
  const { version, ...others } = definitionOptionsOf(definition);
  const options: MigrationOptions = {
    ...others,
    ...(version === undefined ? {} : { initialVersion: version }),
    ...(signal ? { signal } : {}),
  };
  await tryAll(client, mappings, options);
  const configs = config ? await migrateConfigDefinitions(client, config, options) : [];
  const kinds: KindMigration[] = [];
  for (const kind of mappings.kinds) kinds.push({ kind, ...(await migrateDefinition(client, kind, options)) });
  await updateOwnerVersions(client, kinds, configs, signal);
  return { kinds, configs };
}

/** Tries the migration of all kinds. @throws BridgeError `INCOMPATIBLE_SCHEMA` with the problems of all. */
async function tryAll(client: ApiClient, { kinds, config }: OperatorMappings, options: MigrationOptions): Promise<void> {
  const problems: string[] = [];
  const ofConfig = config ? [() => tryConfigMigration(client, config, options)] : [];
  for (const attempt of [...ofConfig, ...kinds.map((kind) => () => tryMigration(client, kind, options))]) {
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof BridgeError) || error.code !== "INCOMPATIBLE_SCHEMA") throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new BridgeError("INCOMPATIBLE_SCHEMA", problems.join("\n"));
}
