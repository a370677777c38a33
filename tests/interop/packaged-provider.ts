// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** A provider that the documented command packaged into a temporary folder. */
export interface PackagedProvider extends Disposable {
  /** Folder with the output of the command. */
  readonly folder: string;
}

/** Packages an example by the command that its README documents. */
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
