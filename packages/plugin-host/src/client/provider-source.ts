// SPDX-License-Identifier: Apache-2.0
import { win32 } from "node:path";
import type { Provider, ProviderFactory } from "@tenon/schema";
import { inSpan } from "@tenon/schema/observability";
import { attachProvider, reattachProviders } from "../attach/attach-provider.ts";
import { PluginHostError } from "../error.ts";
import { userCacheFolder } from "../install/cache/user-cache-folder.ts";
import type { InstalledProvider, InstallEvent, InstallOptions } from "../install/install-provider.ts";
import { resolveLaunch, type CallSettings, type LaunchOptions, type LogSettings, type ProtocolVersion } from "../launch/launch-options.ts";
import { launchProvider } from "../launch/launch-provider.ts";
import { tellListener } from "../listener.ts";
import { tracer } from "../observability/calling.ts";
import type { StartupTimes } from "../provider/launched-provider.ts";
import type { SchemaCacheEntry } from "../schema-cache/schema-cache.ts";
import { withCallSettings } from "../provider/with-timeout.ts";

/**
 * Where a provider comes from:
 *
 * - its source address (`hashicorp/time`, `registry.example.com/acme/notes`): it is found, verified and installed as the CLIs do,
 *   unless `TF_REATTACH_PROVIDERS` names one that runs already;
 * - a file with a path in front of it (`./bin/terraform-provider-time`, `/opt/…`, `C:\…`), or a name on PATH that begins with
 *   `terraform-provider-`;
 * - a file and its arguments;
 * - everything a launch can be told, `{ command, env, … }`;
 * - a factory, which is asked for an instance: `attachProvider(…)`, a provider in this process, a recording;
 * - an instance that nobody has configured. It is closed with the client.
 */
export type ProviderSource = string | readonly [file: string, ...args: string[]] | LaunchOptions | ProviderFactory | Provider;

/** What an installation may be told besides the version; see `installProvider`. */
export type InstallSettings = Omit<InstallOptions, "version" | "signal" | "onProgress">;

/** What a launch may be told besides what is said for every source; see `launchProvider`. */
export type LaunchSettings = Omit<LaunchOptions, "command" | "signal" | keyof CallSettings | keyof LogSettings>;

/** What a source leaves open. */
export interface SourceSettings extends CallSettings, LogSettings {
  /** Of a source address: constraints, as in a configuration: `~> 0.14`. Default: any release. */
  readonly version?: string | undefined;
  /** Of a source address: from where, and how it is verified, as `installProvider` takes it. */
  readonly install?: InstallSettings | undefined;
  /**
   * Of a source address: where the schemas of installed providers are kept, under the hashes of their packages, so that a provider that
   * allows it is asked for them once and not in each process. True: `tenon/schemas` in the user's folder for caches. It is of no use for
   * a provider whose schemas depend on its environment. Providers under development and running ones are asked each time. Default: false.
   */
  readonly schemaCache?: boolean | string | undefined;
  /** Of a source that is launched: its environment, its working folder, and more, as `launchProvider` takes it. */
  readonly launch?: LaunchSettings | undefined;
  /** Told of each step, for example to draw a bar. What it throws is an uncaught exception. Default: nobody. */
  readonly onProgress?: ((event: SourceProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A step on the way from a source to a provider. */
export type SourceProgress =
  | InstallEvent
  | { readonly kind: "launching"; readonly provider: string }
  | { readonly kind: "launched"; readonly provider: string; readonly protocolVersion: ProtocolVersion; readonly startup: StartupTimes };

/** A provider from a source, and the package it is from where it was installed. */
export interface SourcedProvider {
  readonly provider: Provider;
  readonly installed?: InstalledProvider;
}

/**
 * A new instance from a source, not configured yet.
 *
 * @throws PluginHostError as `launchProvider` and, for a source address, as `installProvider`; `INVALID_OPTIONS` where something is
 *   said that the source has no use for.
 */
export async function providerFrom(source: ProviderSource, settings: SourceSettings = {}): Promise<SourcedProvider> {
  if (typeof source === "string" && !isExecutable(source)) return await providerAt(source, settings);
  refuse(settings, ["version", "install", "schemaCache"], "what is not the source address of a provider");
  if (typeof source === "string" || isCommand(source)) return { provider: await launch({ command: source }, settings) };
  refuse(settings, ["launch"], "a provider that is not launched here by a path, a command or an address");
  if (typeof source === "function") return { provider: limited(await source(withSignal(settings)), settings) };
  if ("getProviderSchema" in source) return { provider: limited(source, settings) };
  return { provider: await launch(source, settings) };
}

/** Makes instances of one provider, each in a process of its own: one for each alias. */
export function providerFactory(source: Exclude<ProviderSource, Provider>, settings: Omit<SourceSettings, "signal"> = {}): ProviderFactory {
  return async ({ signal } = {}) => (await providerFrom(source, { ...settings, signal })).provider;
}

/** What messages call a provider that has not said its name. */
export function sourceName(source: ProviderSource, provider: Provider): string {
  if ("name" in provider && typeof provider.name === "string") return provider.name;
  return typeof source === "string" ? source : "the provider";
}

function isCommand(source: object): source is readonly [file: string, ...args: string[]] {
  return Array.isArray(source);
}

/** A path, or a name that stands for a file on PATH: anything else is a source address. */
function isExecutable(source: string): boolean {
  const isPath = /^(?:\.{0,2}[/\\]|\.{1,2}$)/.test(source) || win32.isAbsolute(source);
  return isPath || /^terraform-provider-[^/\\]+$/.test(source);
}

async function providerAt(source: string, settings: SourceSettings): Promise<SourcedProvider> {
  const { version, install = {}, onProgress } = settings;
  // Whoever launches an executable needs none of this.
  const { installProvider } = await import("../install/install-provider.ts");
  const { formatAddress, parseAddress, defaultHostnames } = await import("../install/address/source-address.ts");
  const hostname = defaultHostnames[install.flavour ?? "opentofu"];
  const address = formatAddress(parseAddress(source, hostname));
  for (const [name, running] of reattachProviders(install.environment ?? process.env)) {
    const isMeant = formatAddress(parseAddress(name, hostname)) === address;
    if (isMeant) return { provider: await attachProvider(running, { name: address, ...ofCalls(settings), ...ofLogs(settings) }) };
  }
  const options: InstallOptions = {
    ...install,
    ...(version === undefined ? {} : { version }),
    ...withSignal(settings),
    ...(onProgress ? { onProgress: (event) => tellListener(onProgress, event) } : {}),
  };
  const installed = await inSpan(`install ${address}`, { tracer, attributes: { tf_provider: address } }, () =>
    installProvider(source, options),
  );
  const schemaCache = schemaCacheOf(installed, settings);
  return { provider: await launch({ command: installed.executable, ...(schemaCache ? { schemaCache } : {}) }, settings), installed };
}

function schemaCacheOf(
  { packageHash }: InstalledProvider,
  { schemaCache = false, install, onProgress }: SourceSettings,
): SchemaCacheEntry | undefined {
  if (schemaCache === false || packageHash === undefined) return undefined;
  const folder = schemaCache === true ? userCacheFolder("schemas", install?.environment ?? process.env) : schemaCache;
  return { folder, packageHash, onWarning: (message) => tellListener(onProgress, { kind: "warning", message }) };
}

/** What the source itself says of a launch comes before what is said of any source. */
async function launch(options: LaunchOptions, settings: SourceSettings): Promise<Provider> {
  const whole = { ...settings.launch, ...withSignal(settings), ...ofCalls(settings), ...ofLogs(settings), ...options };
  const { name } = resolveLaunch(whole);
  tellListener(settings.onProgress, { kind: "launching", provider: name });
  const provider = await launchProvider(whole);
  const { protocolVersion, startup } = provider;
  tellListener(settings.onProgress, { kind: "launched", provider: name, protocolVersion, startup });
  return provider;
}

/** A provider that came from elsewhere, with the limits that a launch would have set. */
function limited(provider: Provider, settings: SourceSettings): Provider {
  const calls = ofCalls(settings);
  return Object.keys(calls).length === 0 ? provider : withCallSettings(provider, calls);
}

function refuse(settings: SourceSettings, names: readonly ("version" | "install" | "schemaCache" | "launch")[], of: string): void {
  for (const name of names) {
    if (settings[name] !== undefined) throw new PluginHostError("INVALID_OPTIONS", `the option ${name} says something of ${of}`);
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
