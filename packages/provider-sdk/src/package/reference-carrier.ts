// SPDX-License-Identifier: Apache-2.0
import type { Plugin } from "esbuild";

/** The carrier that ours is held against; only who sets `TENON_CARRIER` ever loads it. */
const specifier = "@tenon/protocol/carrier/connect-node-server";

/** Marks our own look-up among those that this answers. */
const lookUp = "reference-carrier";

/**
 * Keeps connect-node out of a bundle, in a bundle of its own: whatever it shares with the rest would be put, with all that only it uses,
 * into the files that every start reads.
 *
 * @param name of the file it will be in, without `.mjs`
 */
export function referenceCarrier(name: string): { readonly plugin: Plugin; readonly file: () => string | undefined } {
  let file: string | undefined;
  const plugin: Plugin = {
    name: "reference-carrier",
    setup(build) {
      build.onResolve({ filter: /^@tenon\/protocol\/carrier\/connect-node-server$/ }, async ({ pluginData, resolveDir, kind }) => {
        if (pluginData === lookUp) return undefined;
        const found = await build.resolve(specifier, { resolveDir, kind, pluginData: lookUp });
        if (found.errors.length > 0) return found;
        file = found.path;
        return { path: `./${name}.mjs`, external: true };
      });
    },
  };
  return { plugin, file: () => file };
}
