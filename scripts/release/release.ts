// SPDX-License-Identifier: Apache-2.0
// `npm run release`: publishes every package whose version the registry does not have, with provenance. RELEASING.md has the steps.
//   --dry-run  does everything except publishing: packs and checks the packages, runs each README's first program, and prints the list
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runInstalledReadmes } from "./installed-readmes.ts";
import { lintPackages, PackedPackages } from "./packed-packages.ts";
import { releaseBlockers } from "./release-blockers.ts";
import { runCommand } from "./run-command.ts";

const root = join(import.meta.dirname, "..", "..");
const { values: options } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });

runCommand("turbo", ["run", "build", "--output-logs=errors-only"], root);
using packed = new PackedPackages(root);
const findings = lintPackages(root, packed);
if (findings !== undefined) throw new Error(findings);
for (const { name, output, skipped } of runInstalledReadmes(root, packed)) {
  if (skipped !== undefined) console.log(`${name}: README's program not run: ${skipped}`);
  else console.log(`${name}: README's program prints\n${output!.replaceAll(/^/gm, "  ")}`);
}

const changesets = readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md") && file !== "README.md");
const blockers = releaseBlockers({
  packages: packed.packages.map(({ name, version, folder }) => ({
    name,
    version,
    hasRepository: "repository" in (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object),
    hasChangelog: existsSync(join(folder, "CHANGELOG.md")),
  })),
  changesets,
  uncommitted: runCommand("git", ["status", "--porcelain"], root).split("\n").filter(Boolean),
});

console.log(options["dry-run"] ? "\nwould be published:" : "\nto be published:");
for (const { name, version, size, files, integrity } of packed.packages)
  console.log(`  ${name}@${version}  ${Math.ceil(size / 1024)} KiB, ${files.length} files, ${integrity.slice(0, 24)}…`);
for (const blocker of blockers) console.log(`before a release: ${blocker}`);

if (options["dry-run"]) {
  console.log(`dry run: ${packed.packages.length} packages packed, nothing published`);
} else if (blockers.length > 0) {
  console.error("nothing published");
  process.exitCode = 1;
} else {
  console.log(runCommand("pnpm", ["-r", "--filter", "./packages/*", "publish", "--access", "public", "--provenance"], root));
  console.log(runCommand("changeset", ["git-tag"], root));
}
