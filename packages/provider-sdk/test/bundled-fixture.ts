// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../src/package/bundle.ts";

/** A program of `test/fixtures` as it is shipped: bundled, so that it starts at once. */
export interface BundledFixture extends Disposable {
  readonly command: readonly string[];
  readonly folder: string;
}

export async function bundledFixture(name: string): Promise<BundledFixture> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-fixture-"));
  for (const file of await bundle(join(import.meta.dirname, "fixtures", name), "provider"))
    writeFileSync(join(folder, file.name), file.content);
  return {
    command: [process.execPath, join(folder, "provider.mjs")],
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
