// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import { providerConfigDefinitions } from "../crd/provider-config-definition.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import { installCustomResourceDefinitions } from "../machinery/installation/crd-installer.ts";
import { liveHolders } from "../machinery/lease/live-holders.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { migrateDefinition, tryMigration, type MigrationOptions, type MigrationResult } from "../versions/migrate-definition.ts";
import { definitionOptionsOf, readMappings, type OperatorDefinition } from "./operator-definition.ts";

/** Options of {@link migrateDefinitions}. */
export interface OperatorMigrationOptions {
  /** Client with rights on definitions, on the objects of the kinds, and to list Leases. */
  readonly client: ApiClient;
  /** Namespace of the operator. Default: its name. */
  readonly namespace?: string | undefined;
  readonly signal?: AbortSignal;
}

/** The result of {@link migrateDefinitions} for one kind. */
export interface KindMigration extends MigrationResult {
  readonly kind: KindMapping;
}

/**
 * Installs the definitions of an operator, or upgrades the installed ones and converts the objects, as `migrateDefinition` does for one kind. The
 * migration of all kinds is tried before anything is changed. An interrupted migration is completed by the next one.
 *
 * @throws BridgeError `OPERATOR_RUNNING` if replicas of the operator are running. `INCOMPATIBLE_SCHEMA` with the objects and fields that cannot be
 *   converted. Nothing was changed then.
 */
export async function migrateDefinitions(
  definition: OperatorDefinition,
  { client, namespace = definition.name, signal }: OperatorMigrationOptions,
): Promise<readonly KindMigration[]> {
  const { name } = definition;
  const { kinds, config } = await readMappings(definition);
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
  await tryAll(client, kinds, options);
  if (config) {
    const definitions = providerConfigDefinitions(config, version === undefined ? {} : { version });
    await installCustomResourceDefinitions(client, definitions, { fieldManager: "tenon", signal });
  }
  const results: KindMigration[] = [];
  for (const kind of kinds) results.push({ kind, ...(await migrateDefinition(client, kind, options)) });
  return results;
}

/** Tries the migration of all kinds. @throws BridgeError `INCOMPATIBLE_SCHEMA` with the problems of all. */
async function tryAll(client: ApiClient, kinds: readonly KindMapping[], options: MigrationOptions): Promise<void> {
  const problems: string[] = [];
  for (const kind of kinds) {
    try {
      await tryMigration(client, kind, options);
    } catch (error) {
      if (!(error instanceof BridgeError) || error.code !== "INCOMPATIBLE_SCHEMA") throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new BridgeError("INCOMPATIBLE_SCHEMA", problems.join("\n"));
}
