// SPDX-License-Identifier: Apache-2.0
import { isBuiltin } from "node:module";
import type { OnLoadResult, Plugin } from "esbuild";

/** esbuild namespaces of the substitute modules. */
const importNamespace = "builtin-import";
const requireNamespace = "builtin-require";

/**
 * Replaces imports of Node's built-in modules in a bundle by `process.getBuiltinModule`, with only the exports that the bundle uses.
 *
 * An import creates a namespace object, which reads every export, and some exports load a whole library: `import "node:http"` takes
 * twenty times as long as `getBuiltinModule`. Each importing module has its own substitute: esbuild would put shared substitutes into
 * separate files, which Node would read before the handshake line.
 */
export function lazyBuiltins(): Plugin {
  return {
    name: "lazy-builtins",
    setup(build) {
      build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) => {
        if (!isBuiltin(path)) return undefined;
        const name = path.startsWith("node:") ? path : `node:${path}`;
        const namespace = kind.startsWith("require") ? requireNamespace : importNamespace;
        return { path: name, suffix: `?${importer}`, namespace, sideEffects: false };
      });
      build.onLoad({ filter: /.*/, namespace: importNamespace }, ({ path }) => substituteModule(path));
      build.onLoad({ filter: /.*/, namespace: requireNamespace }, ({ path }) => ({
        contents: `module.exports = ${builtinExpression(path)};`,
      }));
    },
  };
}

/** Returns a module with the exports of a built-in module. The `@__PURE__` comments let esbuild drop unused exports. */
async function substituteModule(path: string): Promise<OnLoadResult> {
  const names = Object.keys((await import(path)) as object).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default");
  const exports = names.map((name, index) => `const $${index} = /* @__PURE__ */ (() => $.${name})(); export { $${index} as ${name} };`);
  return { contents: [`const $ = /* @__PURE__ */ ${builtinExpression(path)};`, ...exports, "export default $;"].join("\n") };
}

function builtinExpression(path: string): string {
  return `process.getBuiltinModule(${JSON.stringify(path)})`;
}
