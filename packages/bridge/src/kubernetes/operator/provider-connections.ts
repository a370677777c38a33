// SPDX-License-Identifier: Apache-2.0
import { resourceType } from "@tenon/schema/lifecycle";
import { ProviderPool, type ProviderPoolSettings } from "../../provider/provider-pool.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { StructuredLog } from "../machinery/process/structured-log.ts";
import { ProviderConfigs } from "../provider-config/provider-configs.ts";
import {
  operatorMappings,
  type ConfiguredProvider,
  type FixedProvider,
  type OperatorDefinition,
  type OperatorKinds,
  type OperatorMappings,
  type ProviderLog,
} from "./operator-definition.ts";
import type { OperatorSettings } from "./operator.ts";

/** The context in which {@link openConnections} opens a provider. */
export interface ConnectionContext {
  readonly client: ApiClient;
  readonly log: StructuredLog;
  readonly providerLog: ProviderLog;
  /** Namespace whose custom resources are managed. Default: all. */
  readonly watchNamespace: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pool?: Omit<ProviderPoolSettings, "onEvent"> | undefined;
}

/** The connections of an operator to its provider. */
export interface ProviderConnections extends Pick<OperatorSettings, "configs" | "connect"> {
  readonly kinds: OperatorMappings["kinds"];
  /** Closes the provider, unless the operator closes its instances. */
  readonly close: () => Promise<void>;
}

/** Opens a provider, maps its kinds, and returns the connections of their objects to it. @throws The error of a provider that cannot be opened. */
export async function openConnections(definition: OperatorDefinition, context: ConnectionContext): Promise<ProviderConnections> {
  return definition.supply ? await configuredConnections(definition, context) : await fixedConnections(definition, context);
}

/** One instance for each configuration in the cluster. The first instance is opened for the schemas only. */
async function configuredConnections(
  definition: OperatorKinds & ConfiguredProvider,
  { client, log, providerLog, watchNamespace, environment, pool }: ConnectionContext,
): Promise<ProviderConnections> {
  const supply = definition.supply(providerLog);
  const provider = await supply.open();
  let mappings: OperatorMappings;
  try {
    mappings = await operatorMappings(provider, definition);
  } finally {
    await provider.close();
  }
  const { kinds, config } = mappings;
  const configs = new ProviderConfigs({
    client,
    mapping: config!,
    supply,
    environment,
    namespace: watchNamespace,
    onWatchError: (kind, error) => log.warn("the configurations cannot be watched", { kind, error }),
    ...(definition.version === undefined ? {} : { version: definition.version }),
    ...(pool ? { pool } : {}),
  });
  return { kinds, configs, close: async () => {} };
}

/** One instance for all objects, which is opened again after it has ended. */
async function fixedConnections(
  definition: OperatorKinds & FixedProvider,
  { log, providerLog, pool: settings }: ConnectionContext,
): Promise<ProviderConnections> {
  const { open, providerAddress } = definition;
  const pool = new ProviderPool({
    ...settings,
    onEvent: (event) => {
      if (event.kind === "lost" || event.kind === "failed") log.warn("the provider has ended, or cannot be opened", { error: event.error });
    },
  });
  const openedProvider = async (signal?: AbortSignal) =>
    await pool.provider(definition.name, () => open({ configure: true, ...providerLog }), signal);
  try {
    const { kinds } = await operatorMappings(await openedProvider(), definition);
    return {
      kinds,
      connect: async ({ typeName }, _reference, _owner, signal) =>
        await resourceType(await openedProvider(signal), typeName, { providerAddress, signal }),
      close: () => pool.close(),
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}
