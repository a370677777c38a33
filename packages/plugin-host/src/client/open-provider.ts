// SPDX-License-Identifier: Apache-2.0
import { createSchema, type GetFunctionsResponse, type Provider, ProviderError } from "@tenon/schema";
import { configValue } from "./config-value.ts";
import { settle, type WarningListener } from "./diagnostics.ts";
import { SessionSecrets } from "../observability/session-secrets.ts";
import { tracedSession } from "../observability/traced.ts";
import type { LogRecord } from "../output/log-record.ts";
import type { CallProgress } from "../observability/call-progress.ts";
import type { ClientContext } from "./operation.ts";
import { ProviderClient } from "./provider-client.ts";
import { providerFrom, sourceName, type ProviderSource, type SourceProgress, type SourceSettings } from "./provider-source.ts";
import { stoppingProvider } from "./stopping-provider.ts";
import type { AnyProvider, ConfigInput, ProviderTypes } from "./provider-types.ts";

/** How a provider is opened. */
export interface OpenOptions<Types extends ProviderTypes = AnyProvider> extends Omit<SourceSettings, "onProgress"> {
  /** The provider's own configuration. Default: empty. */
  readonly config?: ConfigInput<Types["config"]>;
  /** The version of Terraform or OpenTofu that the provider is told it runs under. Default: `1.12.6`. */
  readonly terraformVersion?: string;
  /**
   * How long a change whose signal is aborted may take to end in good order, in milliseconds, once the provider has been asked to stop: its answer
   * says what exists. The call is given up then. 0: at once, without asking. Default: 10,000.
   */
  readonly stopGraceMs?: number;
  /** Told of everything the provider warns of, and in which operation. Default: nobody. */
  readonly onWarning?: WarningListener;
  /**
   * Told of each step of installation and launch, and of each call: enough to draw bars. What it throws is an uncaught exception.
   * Default: nobody.
   */
  readonly onProgress?: (event: OpenProgress) => void;
}

/** What a client is doing. */
export type OpenProgress = SourceProgress | CallProgress;

/** The options, which can be left out where the provider's configuration can be. */
export type OpenArguments<Types extends ProviderTypes> = {} extends Types["config"]
  ? [options?: OpenOptions<Types>]
  : [options: OpenOptions<Types> & { readonly config: ConfigInput<Types["config"]> }];

/**
 * Opens a provider: launches it, asks what it offers, configures it, and asks which functions it has then. Each call makes an
 * instance of its own, so one for each alias; `await using` ends it.
 *
 * @typeParam Types - What `generateTypes` wrote for the provider. Without it, data goes in and out unchecked by the compiler.
 * @throws PluginHostError as `launchProvider` and, for a source address, as `installProvider`; `DIAGNOSTICS` where the provider
 *   refuses its configuration, `INVALID_CONFIG` where that cannot be one. Nothing is left running then.
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
  const { onLog: wanted } = options;
  const onLog = wanted && ((record: LogRecord): void => wanted(session.mask(record)));
  const { provider, installed } = await providerFrom(source, onLog ? { ...options, onLog } : options);
  try {
    const name = sourceName(source, provider);
    const { logLevel, onProgress, stopGraceMs = 10_000 } = options;
    const watching = {
      name,
      ...(onLog ? { onLog } : {}),
      ...(logLevel ? { logLevel } : {}),
      ...(onProgress ? { onCall: onProgress } : {}),
    };
    const watched = tracedSession(provider, watching, session);
    return await configured<Types>({ provider: stoppingProvider(watched, stopGraceMs), installed, name }, options);
  } catch (error) {
    await provider.close();
    throw error;
  }
}

async function configured<Types extends ProviderTypes>(
  { provider, installed, name }: Pick<ClientContext, "provider" | "installed" | "name">,
  { config, terraformVersion = "1.12.6", onWarning, signal }: OpenOptions<Types>,
): Promise<ProviderClient<Types>> {
  const callOptions = signal ? { signal } : {};
  const subject = `configuration of ${name}`;
  const schema = await provider.getProviderSchema({}, callOptions);
  settle(schema.diagnostics, `schema of ${name}`, onWarning);
  const { block } = schema.provider ?? createSchema({});
  const value = configValue(block, config ?? {}, subject);
  settle((await provider.validateProviderConfig({ config: value }, callOptions)).diagnostics, subject, onWarning);
  settle((await provider.configureProvider({ terraformVersion, config: value }, callOptions)).diagnostics, subject, onWarning);
  const offered = await configuredFunctions(provider, callOptions);
  settle(offered.diagnostics, `functions of ${name}`, onWarning);
  // As in OpenTofu, what the schema says of a function holds whatever is said later.
  const functions = new Map([...offered.functions, ...schema.functions]);
  return new ProviderClient<Types>({ provider, installed, name, schema: { ...schema, functions }, onWarning });
}

/** What a provider offers once it is configured may be more than its schema says. */
async function configuredFunctions(provider: Provider, options: { readonly signal?: AbortSignal }): Promise<GetFunctionsResponse> {
  try {
    return await provider.getFunctions({}, options);
  } catch (error) {
    // Older than functions.
    if (error instanceof ProviderError && error.code === "UNIMPLEMENTED") return { functions: new Map(), diagnostics: [] };
    throw error;
  }
}
