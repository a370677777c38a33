// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { bundle } from "../src/package/bundle.ts";

/** A program of `test/fixtures`, bundled as a provider is for release, so that it starts fast. */
export interface BundledFixture extends Disposable {
  /** Runs the bundle. */
  readonly command: readonly string[];
  /** Temporary folder that contains the bundle. Tests may write further files to it. */
  readonly folder: string;
}

/** Bundles a program of `test/fixtures` into a temporary folder. */
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

/**
 * Bundles `test/fixtures/main.ts` before the tests of the calling file, and removes the bundle after them. The members of the returned
 * fixture can be read in tests and hooks only.
 */
export function useBundledProvider(): Pick<BundledFixture, "command" | "folder"> {
  let fixture: BundledFixture | undefined;
  const bundled = (): BundledFixture => {
    if (fixture === undefined) throw new Error("the provider is not bundled yet: read the fixture in a test or hook");
    return fixture;
  };
  beforeAll(async () => {
    fixture = await bundledFixture("main.ts");
  });
  afterAll(() => fixture?.[Symbol.dispose]());
  return {
    get command() {
      return bundled().command;
    },
    get folder() {
      return bundled().folder;
    },
  };
}
