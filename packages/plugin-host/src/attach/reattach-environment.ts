// SPDX-License-Identifier: Apache-2.0
import { formatReattachProviders, type ReattachProvider, reattachVariable } from "@tenon/protocol/reattach";
import { PluginHostError } from "../error.ts";
import type { LaunchedProvider } from "../provider/launched-provider.ts";

/**
 * The variable that makes a CLI, or another host, use providers of this process instead of launching its own. They are left running,
 * and are configured by whoever attaches.
 *
 * The connection is in plaintext, and so as private as the socket.
 *
 * @param providers By source address as configurations write it: without a host for the CLI's default registry, whichever CLI it is.
 * @throws PluginHostError `INVALID_OPTIONS` for a provider whose connection is protected.
 *
 * @example
 * await using time = await launchProvider({ command, autoMtls: false });
 * spawn("tofu", ["plan"], { env: { ...process.env, ...reattachEnvironment({ "hashicorp/time": time }) } });
 */
export function reattachEnvironment(providers: Readonly<Record<string, LaunchedProvider>>): Readonly<Record<string, string>> {
  const entries = Object.entries(providers).map(([address, { name, reattach }]): [string, ReattachProvider] => {
    if (reattach) return [address, reattach];
    const message = `nobody can attach to the provider ${name}, whose connection is protected: launch it with autoMtls: false`;
    throw new PluginHostError("INVALID_OPTIONS", message);
  });
  return { [reattachVariable]: formatReattachProviders(new Map(entries)) };
}
