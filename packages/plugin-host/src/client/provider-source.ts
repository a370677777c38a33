// SPDX-License-Identifier: Apache-2.0
import { win32 } from "node:path";
import type { Provider, ProviderFactory } from "@tenon/schema";
import { attachProvider, reattachProviders } from "../attach/attach-provider.ts";
import { PluginHostError } from "../error.ts";
import type { InstallOptions } from "../install/install-provider.ts";
import type { LaunchOptions } from "../launch/launch-options.ts";
import { launchProvider } from "../launch/launch-provider.ts";

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
export type InstallSettings = Omit<InstallOptions, "version" | "signal">;

/** What a source address leaves open. */
export interface AddressSettings {
  /** Constraints, as in a configuration: `~> 0.14`. Default: any release. */
  readonly version?: string | undefined;
  readonly install?: InstallSettings | undefined;
}

/**
 * A new instance from a source, not configured yet.
 *
 * @throws PluginHostError as `launchProvider` and, for a source address, as `installProvider`; `INVALID_OPTIONS` where a version is
 *   asked of anything else.
 */
export async function providerFrom(
  source: ProviderSource,
  signal: AbortSignal | undefined,
  settings: AddressSettings = {},
): Promise<Provider> {
  const withSignal = signal ? { signal } : {};
  if (typeof source === "string" && !isExecutable(source)) return await providerAt(source, signal, settings);
  if (settings.version !== undefined) {
    const message = `the version ${JSON.stringify(settings.version)} is asked of what is not the source address of a provider`;
    throw new PluginHostError("INVALID_OPTIONS", message);
  }
  if (typeof source === "function") return await source(withSignal);
  if (typeof source === "string") return await launchProvider({ command: source, ...withSignal });
  if (isCommand(source)) return await launchProvider({ command: source, ...withSignal });
  return "getProviderSchema" in source ? source : await launchProvider({ ...withSignal, ...source });
}

/** Makes instances of one provider, each in a process of its own: one for each alias. */
export function providerFactory(source: Exclude<ProviderSource, Provider>, settings: AddressSettings = {}): ProviderFactory {
  return ({ signal } = {}) => providerFrom(source, signal, settings);
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

async function providerAt(source: string, signal: AbortSignal | undefined, { version, install = {} }: AddressSettings): Promise<Provider> {
  // Whoever launches an executable needs none of this.
  const { installProvider } = await import("../install/install-provider.ts");
  const { formatAddress, parseAddress, defaultHostnames } = await import("../install/address/source-address.ts");
  const hostname = defaultHostnames[install.flavour ?? "opentofu"];
  const address = formatAddress(parseAddress(source, hostname));
  for (const [name, running] of reattachProviders(install.environment ?? process.env)) {
    const isMeant = formatAddress(parseAddress(name, hostname)) === address;
    if (isMeant) return await attachProvider(running, { name: address });
  }
  const options = { ...install, ...(version === undefined ? {} : { version }), ...(signal ? { signal } : {}) };
  const { executable } = await installProvider(source, options);
  return await launchProvider({ command: executable, ...(signal ? { signal } : {}) });
}
