// SPDX-License-Identifier: Apache-2.0
import { win32 } from "node:path";
import type { Provider, ProviderFactory } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import type { LaunchOptions } from "../launch/launch-options.ts";
import { launchProvider } from "../launch/launch-provider.ts";

/**
 * Where a provider comes from:
 *
 * - a file with a path in front of it (`./bin/terraform-provider-time`, `/opt/…`, `C:\…`), or a name on PATH that begins with
 *   `terraform-provider-`;
 * - a file and its arguments;
 * - everything a launch can be told, `{ command, env, … }`;
 * - a factory, which is asked for an instance: `attachProvider(…)`, a provider in this process, a recording;
 * - an instance that nobody has configured. It is closed with the client.
 *
 * A string such as `hashicorp/time` is a source address, and refused: providers are not installed here.
 */
export type ProviderSource = string | readonly [file: string, ...args: string[]] | LaunchOptions | ProviderFactory | Provider;

/**
 * A new instance from a source, not configured yet.
 *
 * @throws PluginHostError `INVALID_OPTIONS` for a source address, and as `launchProvider`.
 */
export async function providerFrom(source: ProviderSource, signal: AbortSignal | undefined): Promise<Provider> {
  const withSignal = signal ? { signal } : {};
  if (typeof source === "function") return await source(withSignal);
  if (typeof source === "string") return await launchProvider({ command: commandOf(source), ...withSignal });
  if (isCommand(source)) return await launchProvider({ command: source, ...withSignal });
  return "getProviderSchema" in source ? source : await launchProvider({ ...withSignal, ...source });
}

/** Makes instances of one provider, each in a process of its own: one for each alias. */
export function providerFactory(source: Exclude<ProviderSource, Provider>): ProviderFactory {
  return ({ signal } = {}) => providerFrom(source, signal);
}

/** What messages call a provider that has not said its name. */
export function sourceName(source: ProviderSource, provider: Provider): string {
  if ("name" in provider && typeof provider.name === "string") return provider.name;
  return typeof source === "string" ? source : "the provider";
}

function isCommand(source: object): source is readonly [file: string, ...args: string[]] {
  return Array.isArray(source);
}

function commandOf(source: string): string {
  const isPath = /^(?:\.{0,2}[/\\]|\.{1,2}$)/.test(source) || win32.isAbsolute(source);
  if (isPath || /^terraform-provider-[^/\\]+$/.test(source)) return source;
  const message =
    `${JSON.stringify(source)} is read as the source address of a provider, and providers are not installed from here: ` +
    `pass the path of its executable, such as "./${source.split("/").at(-1)}" or { command: … }`;
  throw new PluginHostError("INVALID_OPTIONS", message);
}
