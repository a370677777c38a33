// SPDX-License-Identifier: Apache-2.0
import type { Plugin } from "esbuild";

/** The reference carrier. It is loaded only if `TENON_CARRIER` selects it. */
const specifier = "@tenon/protocol/carrier/connect-node-server";

/** Marks the plugin's own resolve calls, so that it does not intercept them. */
const lookUp = "reference-carrier";

/**
 * Moves connect-node into a separate bundle. In a common bundle, esbuild would put its code into files that every start reads.
 *
 * @param name name of the separate file, without `.mjs`
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

/**
 * Leaves connect-node out of the bundle of the reference carrier when it is not installed: it is an optional dependency. Loading that
 * carrier then fails with a `ProtocolError` `DEPENDENCY_MISSING`; nothing else is affected.
 */
export const optionalConnectNode: Plugin = {
  name: "optional-connect-node",
  setup(build) {
    build.onResolve({ filter: /^@connectrpc\/connect-node$/ }, async ({ path, pluginData, importer, resolveDir, kind }) => {
      if (pluginData === lookUp) return undefined;
      const { errors } = await build.resolve(path, { importer, resolveDir, kind, pluginData: lookUp });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};
