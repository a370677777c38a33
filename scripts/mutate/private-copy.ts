// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary copy of some packages, for mutations. */
export interface PrivateCopy {
  readonly folder: string;
  readonly remove: () => void;
}

/**
 * Copies packages, and other folders with their paths, from the working tree, with uncommitted changes. The copy shares the installed dependencies. Links between packages
 * are relative, so that the links of the copy point to packages of the copy.
 *
 * @param links - Folders that git ignores, which the copy shares.
 */
export function privateCopy(root: string, packages: readonly string[], links: readonly string[] = []): PrivateCopy {
  const folder = mkdtempSync(join(tmpdir(), "tenon-mutate-"));
  const folders = packages.map((name) => (name.includes("/") ? name : `packages/${name}`));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "package.json", ...folders], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  for (const file of listed.split("\0")) {
    if (file === "" || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  for (const one of folders) {
    cpSync(join(root, one, "node_modules"), join(folder, one, "node_modules"), { recursive: true, verbatimSymlinks: true });
  }
  for (const link of ["node_modules", ...links]) symlinkSync(join(root, link), join(folder, link), "dir");
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
