// SPDX-License-Identifier: Apache-2.0
import { isBuiltin } from "node:module";
import type { OnLoadResult, Plugin } from "esbuild";

/** Marks the stand-ins in the bundle. */
const imported = "builtin-import";
const required = "builtin-require";

/**
 * Makes a bundle fetch Node's own modules from the process, those things of them that it uses, instead of importing them.
 *
 * A namespace object of one reads every export when it is made, and some of those load a whole library: `import "node:http"`
 * takes twenty times as long as fetching it. Each importing module has a stand-in of its own: shared ones would be put into files of
 * their own, to be read before the handshake line.
 */
export function lazyBuiltins(): Plugin {
  return {
    name: "lazy-builtins",
    setup(build) {
      build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) => {
        if (!isBuiltin(path)) return undefined;
        const name = path.startsWith("node:") ? path : `node:${path}`;
        const namespace = kind.startsWith("require") ? required : imported;
        return { path: name, suffix: `?${importer}`, namespace, sideEffects: false };
      });
      build.onLoad({ filter: /.*/, namespace: imported }, ({ path }) => standIn(path));
      build.onLoad({ filter: /.*/, namespace: required }, ({ path }) => ({ contents: `module.exports = ${fetched(path)};` }));
    },
  };
}

/** A module of the same exports. What nobody uses of it is left out of the bundle: the comments allow that. */
async function standIn(path: string): Promise<OnLoadResult> {
  const names = Object.keys((await import(path)) as object).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default");
  const exports = names.map((name, index) => `const $${index} = /* @__PURE__ */ (() => $.${name})(); export { $${index} as ${name} };`);
  return { contents: [`const $ = /* @__PURE__ */ ${fetched(path)};`, ...exports, "export default $;"].join("\n") };
}

function fetched(path: string): string {
  return `process.getBuiltinModule(${JSON.stringify(path)})`;
}
