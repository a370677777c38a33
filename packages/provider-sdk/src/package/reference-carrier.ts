// SPDX-License-Identifier: Apache-2.0
import type { Plugin } from "esbuild";

/** The reference carrier's two sides. They are loaded only if `TENON_CARRIER` selects them. */
const specifiers = /^@tenon\/protocol\/carrier\/connect-node-(server|client)$/;

/** Marks the plugin's own resolve calls, so that it does not intercept them. */
const lookUp = "reference-carrier";

/**
 * Moves connect-node into a separate bundle. In a common bundle, esbuild would put its code into files that every start reads.
 *
 * @param name name of the separate file with its server, without `.mjs`; that with its client has the suffix `-client`
 * @returns `files` are the sources of the separate files, by their names
 */
export function referenceCarrier(name: string): { readonly plugin: Plugin; readonly files: () => Record<string, string> } {
  const files: Record<string, string> = {};
  const plugin: Plugin = {
    name: "reference-carrier",
    setup(build) {
      build.onResolve({ filter: specifiers }, async ({ path, pluginData, resolveDir, kind }) => {
        if (pluginData === lookUp) return undefined;
        const found = await build.resolve(path, { resolveDir, kind, pluginData: lookUp });
        if (found.errors.length > 0) return found;
        const own = path.endsWith("-client") ? `${name}-client` : name;
        files[own] = found.path;
        return { path: `./${own}.mjs`, external: true };
      });
    },
  };
  return { plugin, files: () => files };
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
