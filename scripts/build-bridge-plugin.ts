// SPDX-License-Identifier: Apache-2.0
// Packages the plugin pulumi-resource-terraform-provider into packages/bridge/dist/plugin, as the SDK packages providers, with the licences
// of what its bundle contains.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pluginYoungGenerationMiB } from "../packages/bridge/src/pulumi/package/young-generation.ts";
import { type PackagedFile, packageProgram, writePackage } from "../packages/provider-sdk/src/package/index.ts";

const bridge = join(import.meta.dirname, "..", "packages/bridge");
const files = await packageProgram({
  main: join(bridge, "src/pulumi/main.ts"),
  name: "pulumi-resource-terraform-provider",
  // The machine that it is installed on has another Node.
  portable: true,
  youngGenerationMiB: pluginYoungGenerationMiB,
  // Its licence is not permissive: it stays a dependency of its own.
  external: ["openpgp"],
});
await writePackage(join(bridge, "dist/plugin"), [...files, licences(files)]);

/** The licences of the packages that the source maps of a bundle name. */
function licences(bundle: readonly PackagedFile[]): PackagedFile {
  const folders = new Map<string, string>();
  for (const { name, content } of bundle) {
    if (!name.endsWith(".map")) continue;
    const { sources } = JSON.parse(Buffer.from(content).toString()) as { readonly sources: readonly string[] };
    for (const source of sources) {
      // Paths are relative to the folder that packaging writes to by default.
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(join(bridge, "dist-provider/dev", source)) ?? [];
      if (folder !== undefined) folders.set(folder, folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length));
    }
  }
  const texts = [...folders]
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([folder, name]) => `${name}\n\n${licenceOf(folder)}`);
  return { name: "THIRD-PARTY-LICENSES", content: Buffer.from(texts.join(`\n${"-".repeat(80)}\n`)), executable: false };
}

function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8");
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) throw new Error(`${dirname(manifest)} has neither a licence nor a package.json`);
  return `${(JSON.parse(readFileSync(manifest, "utf8")) as { readonly license: string }).license}\n`;
}
