// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BundledFile } from "./bundle.ts";

/** How long a provider may think of an answer, in milliseconds. */
const patience = 20_000;

/**
 * The protocol versions that a bundled provider speaks: it is started, and asked. 5 and 6 where it does not answer, as programs do that
 * call something else than `serve`, and providers that cannot be loaded here.
 */
export async function protocolsOf(files: readonly BundledFile[], name: string): Promise<readonly (5 | 6)[]> {
  const folder = await mkdtemp(join(tmpdir(), "tenon-ask-"));
  try {
    await Promise.all(files.map((file) => writeFile(join(folder, file.name), file.content)));
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, `${name}.mjs`)], {
      env: { ...process.env, TENON_PROVIDER_ASK: "1" },
      timeout: patience,
    });
    const said = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { readonly protocols?: readonly (5 | 6)[] };
    return said.protocols ?? [5, 6];
  } catch {
    return [5, 6];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
