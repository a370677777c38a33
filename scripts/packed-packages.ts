// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishedPackages } from "./workspace.ts";

/** Packs each package as it is published and has publint and attw look at it; answers what they found. Needs `build`. */
export function packedPackages(root: string): string | undefined {
  const problems: string[] = [];
  for (const { name, folder } of publishedPackages(root)) {
    const out = mkdtempSync(join(tmpdir(), "tenon-pack-"));
    try {
      const packed = run("pnpm", ["pack", "--pack-destination", out], folder);
      if (packed !== undefined) {
        problems.push(`${name}: pnpm pack\n${packed}`);
        continue;
      }
      const [file] = readdirSync(out);
      const tarball = join(out, file ?? "");
      for (const [tool, args] of [
        ["publint", ["--strict", tarball]],
        ["attw", ["--profile", "esm-only", "--no-emoji", tarball]],
      ] as const) {
        const found = run(tool, args, root);
        if (found !== undefined) problems.push(`${name}: ${tool}\n${found}`);
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  }
  return problems.length === 0 ? undefined : problems.join("\n");
}

function run(command: string, args: readonly string[], cwd: string): string | undefined {
  const result = spawnSync(command, args, { cwd, encoding: "utf8", env: { ...process.env, FORCE_COLOR: "0" } });
  return result.status === 0 ? undefined : `${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}`;
}
