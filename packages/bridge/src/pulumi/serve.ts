// SPDX-License-Identifier: Apache-2.0
/**
 * Serves a provider of this process as a Pulumi provider. Loads nothing large before the port is printed for the engine.
 *
 * @module
 */
import type { Provider } from "@tenon/schema";
import { servePlugin } from "./server/serve-plugin.ts";

/** A provider that is served as a Pulumi provider. */
export interface ServedPackage {
  /** Name of the package; the plugin's executable is `pulumi-resource-<name>`. */
  readonly name: string;
  /** Version of the package: a full semantic version. */
  readonly version: string;
  /** Creates an instance. Called for each engine. */
  readonly open: () => Provider | Promise<Provider>;
  /** Whether numbers that a double cannot hold exactly are strings in outputs. Default: false; they are rounded. */
  readonly exactNumbers?: boolean;
}

/**
 * Serves a provider to the Pulumi engine that started this process, until the engine ends it. Without an engine's address as argument, it
 * waits for engines to attach (`PULUMI_DEBUG_PROVIDERS`).
 *
 * Resolves when the provider is served; exits with 1 when the arguments are invalid.
 *
 * @param load - loads the provider, after the port was printed. Import it here and not at the top of the file.
 *
 * @example
 * await servePulumiProvider(async () => {
 *   const [{ createProvider }, { provider }] = await Promise.all([import("@tenon/provider-sdk"), import("./provider.ts")]);
 *   return { name: "notebook", version: "1.0.0", open: () => createProvider(provider) };
 * });
 */
export async function servePulumiProvider(load: () => Promise<ServedPackage>): Promise<void> {
  await servePlugin(async () => {
    const { open, ...settings } = await load();
    return { ...settings, openOwn: open };
  });
}
