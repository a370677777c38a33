// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** A provider packaged by the documented command into a folder of its own. */
export interface PackagedProvider extends Disposable {
  /** What the command wrote. */
  readonly folder: string;
}

/** Packages an example by the command its README documents. */
export function packageExample(main: string, ...args: readonly string[]): PackagedProvider {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-package-")));
  execFileSync(
    join(root, "node_modules", ".bin", "node"),
    [join(root, "packages/provider-sdk/src/package/main.ts"), join(root, main), "--out", folder, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
