// SPDX-License-Identifier: Apache-2.0
import { createSchema } from "@tenon/schema";
import { configValue } from "./config-value.ts";
import { settle, type WarningListener } from "./diagnostics.ts";
import { SessionSecrets } from "../observability/session-secrets.ts";
import { tracedSession } from "../observability/traced.ts";
import type { LogRecord } from "../output/log-record.ts";
import type { CallProgress } from "../observability/call-progress.ts";
import { providerMetaValue, type ClientContext } from "./operation.ts";
import type { Fields } from "../resource-handle.ts";
import { ProviderClient } from "./provider-client.ts";
import { providerFrom, sourceName, type ProviderSource, type SourceProgress, type SourceSettings } from "./provider-source.ts";
import { stoppingProvider } from "./stopping-provider.ts";
import type { AnyProvider, ConfigInput, ProviderTypes } from "./provider-types.ts";

/** Options for opening a provider. */
export interface OpenOptions<Types extends ProviderTypes = AnyProvider> extends Omit<SourceSettings, "onProgress"> {
  /** The provider's own configuration. Default: empty. */
  readonly config?: ConfigInput<Types["config"]>;
  /**
   * Whether the provider is configured. Default: true. An unconfigured provider validates configurations (its own, if `config` is given,
   * and those of its resources), upgrades stored states and calls functions; other operations are refused.
   */
  readonly configure?: boolean;
  /** Value of the module's `provider_meta` block, for providers that have a schema for it. An operation may override it. Default: none. */
  readonly providerMeta?: ConfigInput<Fields>;
  /** Version of Terraform or OpenTofu that is sent to the provider. Default: `1.12.6`. */
  readonly terraformVersion?: string;
  /**
   * Grace period of a change whose signal is aborted, in milliseconds: the host calls StopProvider, and the response to the change contains
   * the object that exists. After the period the call is cancelled. 0 cancels at once. Default: 10,000.
   */
  readonly stopGraceMs?: number;
  /** Called with each warning of the provider, and its operation. Default: no listener. */
  readonly onWarning?: WarningListener;
  /**
   * Called with each step of the installation and launch, and with each call. An exception it throws is uncaught. Default: no listener.
   */
  readonly onProgress?: (event: OpenProgress) => void;
  /** Whether `onProgress` is called with each call, too. A call takes less time without. Default: true. */
  readonly reportCalls?: boolean;
}

/** A step of an installation or launch, or a call. */
export type OpenProgress = SourceProgress | CallProgress;

/** Options argument of `openProvider`, which is optional if the provider has no required configuration. */
export type OpenArguments<Types extends ProviderTypes> = {} extends Types["config"]
  ? [options?: OpenOptions<Types>]
  : [options: OpenOptions<Types> & ({ readonly config: ConfigInput<Types["config"]> } | { readonly configure: false })];

/**
 * Opens a provider: launches it, requests its schema and configures it. Each call starts a new instance, such as one for each alias;
 * `await using` closes it.
 *
 * @typeParam Types - the interface that `generateTypes` wrote for the provider. Without it, the compiler does not check data.
 * @throws PluginHostError as `launchProvider` and, for a source address, as `installProvider`; `DIAGNOSTICS` if the provider refuses its
 * configuration, `INVALID_CONFIG` if it is invalid. After an error, no process keeps running.
 *
 * @example
 * await using time = await openProvider("hashicorp/time", { version: "~> 0.14" });
 * const release = await time.resource("time_static").create({ rfc3339: "2026-01-02T03:04:05Z" });
 */
export async function openProvider<Types extends ProviderTypes = AnyProvider>(
  source: ProviderSource,
  ...[options = {}]: OpenArguments<Types>
): Promise<ProviderClient<Types>> {
  const session = new SessionSecrets();
  const { onLog: listener } = options;
  const onLog = listener && ((record: LogRecord): void => session.deliver(record, listener));
  const { provider, installed } = await providerFrom(source, onLog ? { ...options, onLog } : options);
  try {
    const name = sourceName(source, provider);
    const { logLevel, onProgress, reportCalls = true, stopGraceMs = 10_000 } = options;
    const tracing = {
      name,
      ...(onLog ? { onLog } : {}),
      ...(logLevel ? { logLevel } : {}),
      ...(onProgress && reportCalls ? { onCall: onProgress } : {}),
    };
    const observed = tracedSession(provider, tracing, session);
    return await configured<Types>({ provider: stoppingProvider(observed, stopGraceMs), installed, name }, options);
  } catch (error) {
    await provider.close();
    throw error;
  }
}

async function configured<Types extends ProviderTypes>(
  { provider, installed, name }: Pick<ClientContext, "provider" | "installed" | "name">,
  { config, configure = true, providerMeta, terraformVersion = "1.12.6", onWarning, signal }: OpenOptions<Types>,
): Promise<ProviderClient<Types>> {
  const callOptions = signal ? { signal } : {};
  const subject = `configuration of ${name}`;
  const schema = await provider.getProviderSchema({}, callOptions);
  settle(schema.diagnostics, `schema of ${name}`, onWarning);
  if (configure || config !== undefined) {
    const { block } = schema.provider ?? createSchema({});
    const value = configValue(block, config ?? {}, subject);
    settle((await provider.validateProviderConfig({ config: value }, callOptions)).diagnostics, subject, onWarning);
    if (configure)
      settle((await provider.configureProvider({ terraformVersion, config: value }, callOptions)).diagnostics, subject, onWarning);
  }
  const meta = providerMeta === undefined ? undefined : providerMetaValue(schema, providerMeta, name);
  return new ProviderClient<Types>({ provider, installed, name, schema, onWarning, isConfigured: configure, providerMeta: meta });
}
