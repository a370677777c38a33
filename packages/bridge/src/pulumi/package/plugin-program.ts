// SPDX-License-Identifier: Apache-2.0
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** A program as text, and the path that its imports are resolved from. */
export interface PluginProgram {
  readonly main: string;
  readonly text: string;
}

/** Writes the program that serves the provider of a module. Nothing but the first import is loaded before the engine has the port. */
export function pluginProgram(provider: string, { name, version }: { readonly name?: string; readonly version?: string }): PluginProgram {
  // This installation of the package: the project may run the packager without a dependency on it.
  const serve = createRequire(import.meta.url).resolve("@tenon/bridge/pulumi/serve");
  const text = `import { servePulumiProvider } from ${JSON.stringify(serve)};

await servePulumiProvider(async () => {
  const [{ createProvider }, module] = await Promise.all([import("@tenon/provider-sdk"), import(${JSON.stringify(`./${basename(provider)}`)})]);
  const provider = module.provider ?? module.default;
  if (typeof provider !== "object" || provider === null || !("~provider" in provider)) {
    throw new Error(${JSON.stringify(
      `${basename(provider)} exports no provider: export the result of defineProvider(…).with([…]) as "provider" or as the default`,
    )});
  }
  return {
    name: ${name === undefined ? "provider.name" : JSON.stringify(name)},
    version: ${version === undefined ? "provider.version" : JSON.stringify(version)},
    open: () => createProvider(provider),
  };
});
`;
  return { main: join(dirname(provider), "pulumi-plugin.ts"), text };
}
