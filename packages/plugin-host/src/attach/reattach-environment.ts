// SPDX-License-Identifier: Apache-2.0
import { formatReattachProviders, type ReattachProvider, reattachVariable } from "@tenon/protocol/reattach";
import { PluginHostError } from "../error.ts";
import type { LaunchedProvider } from "../launch/launched-provider.ts";

/**
 * Returns the environment variable that makes a CLI, or another host, attach to providers that this process launched instead of launching
 * its own. The other host configures the providers and does not shut them down.
 *
 * The connection is plaintext, and so only as private as the socket.
 *
 * @param providers - by source address as in a configuration: without a host it refers to the default registry of either CLI
 * @throws PluginHostError `INVALID_OPTIONS` for a provider whose connection uses TLS
 *
 * @example
 * await using time = await launchProvider({ command, autoMtls: false });
 * spawn("tofu", ["plan"], { env: { ...process.env, ...reattachEnvironment({ "hashicorp/time": time }) } });
 */
export function reattachEnvironment(providers: Readonly<Record<string, LaunchedProvider>>): Readonly<Record<string, string>> {
  const entries = Object.entries(providers).map(([address, { name, reattach }]): [string, ReattachProvider] => {
    if (reattach) return [address, reattach];
    const message = `no other process can attach to the provider ${name}, whose connection uses TLS: launch it with autoMtls: false`;
    throw new PluginHostError("INVALID_OPTIONS", message);
  });
  return { [reattachVariable]: formatReattachProviders(new Map(entries)) };
}
