// SPDX-License-Identifier: Apache-2.0
import { isBuiltin } from "node:module";
import type { Plugin } from "esbuild";

/**
 * Makes a bundle load each of Node's own modules when the code that imports it runs, and not before.
 *
 * An `import` of a module that is not in the bundle moves to the top of it, however late the code is that needs it: HTTP/2 would
 * be loaded before the handshake line. Fetched from the process instead, they keep their place. `import "node:http"`
 * even costs twenty times as much as fetching it, because a namespace object reads every export, and one of those loads a whole client.
 */
export function lazyBuiltins(): Plugin {
  return {
    name: "lazy-builtins",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[a-z]/ }, ({ path }) =>
        isBuiltin(path) ? { path: path.startsWith("node:") ? path : `node:${path}`, namespace: "builtin", sideEffects: false } : undefined,
      );
      onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
        loader: "js",
      }));
    },
  };
}
