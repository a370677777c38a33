// SPDX-License-Identifier: Apache-2.0
import { win32 } from "node:path";
import type { Provider, ProviderFactory } from "@tenon/schema";
import { inSpan } from "@tenon/schema/observability";
import { attachProvider, reattachProviders } from "../attach/attach-provider.ts";
import { PluginHostError } from "../error.ts";
import { userCacheFolder } from "../install/cache/user-cache-folder.ts";
import type { InstalledProvider, InstallEvent, InstallOptions } from "../install/install-provider.ts";
import { resolveLaunch, type LaunchOptions } from "../launch/launch-options.ts";
import { type CallSettings } from "../call/call-settings.ts";
import { type LogSettings } from "../output/log-settings.ts";
import { type ProtocolVersion } from "../connection/connection-settings.ts";
import { launchInstance } from "../launch/launch-provider.ts";
import { notifyListener } from "../listener.ts";
import { tracer } from "../observability/calling.ts";
import type { StartupTimes } from "../launch/launched-provider.ts";
import { FactorySchemas } from "../schema-cache/factory-schemas.ts";
import type { SchemaCacheEntry } from "../schema-cache/schema-cache.ts";
import { withCallSettings } from "../call/with-timeout.ts";

/**
 * The source of a provider:
 *
 * - its source address (`hashicorp/time`, `registry.example.com/acme/notes`): the provider is found, verified and installed as the CLIs do,
 *   unless `TF_REATTACH_PROVIDERS` lists a running one;
 * - a file with a path in front of it (`./bin/terraform-provider-time`, `/opt/…`, `C:\…`), or a name on PATH that begins with
 *   `terraform-provider-`;
 * - a file and its arguments;
 * - the options of a launch, `{ command, env, … }`;
 * - a factory, which is called for an instance: `attachProvider(…)`, a provider in this process, a recording;
 * - an instance that is not configured yet. It is closed with the client.
 */
export type ProviderSource = string | readonly [file: string, ...args: string[]] | LaunchOptions | ProviderFactory | Provider;

/** Options of an installation other than the version; see `installProvider`. */
export type InstallSettings = Omit<InstallOptions, "version" | "signal" | "onProgress">;

/** Options of a launch other than those for every source; see `launchProvider`. */
export type LaunchSettings = Omit<LaunchOptions, "command" | "signal" | keyof CallSettings | keyof LogSettings>;

/** Settings beside the source. */
export interface SourceSettings extends CallSettings, LogSettings {
  /** Version constraints for a source address, as in a configuration: `~> 0.14`. Default: any release. */
  readonly version?: string | undefined;
  /** Options of the installation of a source address, as in `installProvider`. */
  readonly install?: InstallSettings | undefined;
  /**
   * Whether the schemas of a source address are cached under the hash of its package, for providers that allow it; a string is the folder
   * of the cache. True selects `tenon/schemas` in the user's cache folder. Do not use it for a provider whose schemas depend on its
   * environment. Providers under development and running ones are not cached. Default: false.
   */
  readonly schemaCache?: boolean | string | undefined;
  /** Options of the launch, such as environment and working directory, as in `launchProvider`. */
  readonly launch?: LaunchSettings | undefined;
  /** Called with each step. An exception it throws is uncaught. Default: no listener. */
  readonly onProgress?: ((event: SourceProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A step of an installation or launch. */
export type SourceProgress =
  | InstallEvent
  | { readonly kind: "launching"; readonly provider: string }
  | { readonly kind: "launched"; readonly provider: string; readonly protocolVersion: ProtocolVersion; readonly startup: StartupTimes };

/** A provider from a source, with its package if it was installed. */
export interface SourcedProvider {
  readonly provider: Provider;
  readonly installed?: InstalledProvider;
}

/**
 * Creates an instance from a source, without configuring it.
 *
 * @param schemas - shared with other processes of the source. Default: none are shared.
 * @throws PluginHostError as `launchProvider` and, for a source address, as `installProvider`; `INVALID_OPTIONS` for a setting that does
 * not apply to the source
 */
export async function providerFrom(
  source: ProviderSource,
  settings: SourceSettings = {},
  schemas?: FactorySchemas,
): Promise<SourcedProvider> {
  if (typeof source === "string" && !isExecutable(source)) return await providerAt(source, settings, schemas);
  refuse(settings, ["version", "install", "schemaCache"], "a source that is not a source address");
  if (typeof source === "string" || isCommand(source)) return { provider: await launch({ command: source }, settings, schemas) };
  refuse(settings, ["launch"], "a provider that is not launched by a path, a command or an address");
  if (typeof source === "function") return { provider: limited(await source(withSignal(settings)), settings) };
  if ("getProviderSchema" in source) return { provider: limited(source, settings) };
  return { provider: await launch(source, settings, schemas) };
}

/**
 * Creates a factory for instances of one provider, each in a separate process, such as one for each alias. The processes share their schemas in
 * memory if the provider allows it (the capability `GetProviderSchemaOptional`), as those of the CLIs do, until a file of the command changes.
 */
export function providerFactory(source: Exclude<ProviderSource, Provider>, settings: Omit<SourceSettings, "signal"> = {}): ProviderFactory {
  const schemas = new FactorySchemas();
  return async ({ signal } = {}) => (await providerFrom(source, { ...settings, signal }, schemas)).provider;
}

/** The name of a provider in messages. */
export function sourceName(source: ProviderSource, provider: Provider): string {
  if ("name" in provider && typeof provider.name === "string") return provider.name;
  return typeof source === "string" ? source : "the provider";
}

function isCommand(source: object): source is readonly [file: string, ...args: string[]] {
  return Array.isArray(source);
}

/** Whether the source is a path, or the name of a provider on PATH. Any other string is a source address. */
function isExecutable(source: string): boolean {
  const isPath = /^(?:\.{0,2}[/\\]|\.{1,2}$)/.test(source) || win32.isAbsolute(source);
  return isPath || /^terraform-provider-[^/\\]+$/.test(source);
}

async function providerAt(source: string, settings: SourceSettings, schemas: FactorySchemas | undefined): Promise<SourcedProvider> {
  const { version, install = {}, onProgress } = settings;
  // Loaded here, because launching an executable does not need them.
  const { installProvider } = await import("../install/install-provider.ts");
  const { formatAddress, parseAddress, defaultHostnames } = await import("../install/address/source-address.ts");
  const hostname = defaultHostnames[install.flavour ?? "opentofu"];
  const address = formatAddress(parseAddress(source, hostname));
  for (const [name, running] of reattachProviders(install.environment ?? process.env)) {
    const isRequested = formatAddress(parseAddress(name, hostname)) === address;
    if (isRequested) return { provider: await attachProvider(running, { name: address, ...ofCalls(settings), ...ofLogs(settings) }) };
  }
  const options: InstallOptions = {
    ...install,
    ...(version === undefined ? {} : { version }),
    ...withSignal(settings),
    ...(onProgress ? { onProgress: (event) => notifyListener(onProgress, event) } : {}),
  };
  const installed = await inSpan(`install ${address}`, { tracer, attributes: { tf_provider: address } }, () =>
    installProvider(source, options),
  );
  const schemaCache = schemaCacheOf(installed, settings);
  const launching = { command: installed.executable, ...(schemaCache ? { schemaCache } : {}) };
  return { provider: await launch(launching, settings, schemas), installed };
}

function schemaCacheOf(
  { packageHash }: InstalledProvider,
  { schemaCache = false, install, onProgress }: SourceSettings,
): SchemaCacheEntry | undefined {
  if (schemaCache === false || packageHash === undefined) return undefined;
  const folder = schemaCache === true ? userCacheFolder("schemas", install?.environment ?? process.env) : schemaCache;
  return { folder, packageHash, onWarning: (message) => notifyListener(onProgress, { kind: "warning", message }) };
}

/** Launches a provider. Options of the source override the settings for any source. */
async function launch(options: LaunchOptions, settings: SourceSettings, schemas: FactorySchemas | undefined): Promise<Provider> {
  const whole = { ...settings.launch, ...withSignal(settings), ...ofCalls(settings), ...ofLogs(settings), ...options };
  const { name } = resolveLaunch(whole);
  notifyListener(settings.onProgress, { kind: "launching", provider: name });
  const provider = await launchInstance(whole, schemas);
  const { protocolVersion, startup } = provider;
  notifyListener(settings.onProgress, { kind: "launched", provider: name, protocolVersion, startup });
  return provider;
}

/** Adds the limits for calls to a provider that was not launched here. */
function limited(provider: Provider, settings: SourceSettings): Provider {
  const calls = ofCalls(settings);
  return Object.keys(calls).length === 0 ? provider : withCallSettings(provider, calls);
}

function refuse(settings: SourceSettings, names: readonly ("version" | "install" | "schemaCache" | "launch")[], of: string): void {
  for (const name of names) {
    if (settings[name] !== undefined) throw new PluginHostError("INVALID_OPTIONS", `option ${name} does not apply to ${of}`);
  }
}

function withSignal({ signal }: SourceSettings): { readonly signal?: AbortSignal } {
  return signal ? { signal } : {};
}

function ofCalls({ callTimeoutMs, maxConcurrentCalls }: SourceSettings): CallSettings {
  return {
    ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
    ...(maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls }),
  };
}

function ofLogs({ onLog, logLevel }: SourceSettings): LogSettings {
  return { ...(onLog === undefined ? {} : { onLog }), ...(logLevel === undefined ? {} : { logLevel }) };
}
