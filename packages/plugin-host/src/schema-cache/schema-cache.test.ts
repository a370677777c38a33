// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { createSchemaStore } from "./schema-cache.ts";

const packageHash = "h1:/+AcrI8NHNG0ndFy/7LDBKgG6CY5vC+cHQNlT3pQ5OM=";
const answer = Buffer.from("what a provider said");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "schema-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const only = (): string => join(folder, "s", readdirSync(join(folder, "s"))[0]!);

describe("a cache of schemas", () => {
  test("gives back what was saved, for its package and protocol alone, to its owner alone", async ({ expect }) => {
    const cache = { folder: join(folder, "s"), packageHash } as const;
    const store = createSchemaStore(cache, 6);
    expect(await store.load()).toBeUndefined();
    await store.save(answer);
    expect(await store.load()).toEqual(answer);
    expect(await createSchemaStore(cache, 5).load()).toBeUndefined();
    expect(await createSchemaStore({ ...cache, packageHash: "h1:AAAA" }, 6).load()).toBeUndefined();
    expect(statSync(only()).mode & 0o777).toBe(0o600);
    // One that was put there under another's name.
    writeFileSync(only().replace(".v6.", ".v5."), readFileSync(only()));
    expect(await createSchemaStore(cache, 5).load()).toBeUndefined();
  });

  test("takes nothing that is not whole, and replaces it", async ({ expect }) => {
    const store = createSchemaStore({ folder: join(folder, "s"), packageHash }, 6);
    await store.save(answer);
    const whole = readFileSync(only());
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(only(), whole.subarray(0, length));
      expect(await store.load(), `${length} bytes`).toBeUndefined();
    }
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      writeFileSync(only(), damaged);
      expect(await store.load(), `byte ${at}`).toBeUndefined();
    }
    writeFileSync(only(), Buffer.concat([whole, whole]));
    expect(await store.load()).toBeUndefined();
    await store.save(answer);
    expect(await store.load()).toEqual(answer);
    expect(readdirSync(join(folder, "s"))).toHaveLength(1);
  });

  test("is never half written, whoever writes at the same time", async ({ expect }) => {
    const store = (): ReturnType<typeof createSchemaStore> => createSchemaStore({ folder: join(folder, "s"), packageHash }, 6);
    const answers = Array.from({ length: 12 }, (_, writer) => Buffer.alloc(1_000_000 + writer, writer));
    await store().save(answers[0]!);
    const seen: (Uint8Array | undefined)[] = [];
    const reading = new AbortController();
    const read = async (): Promise<void> => {
      while (!reading.signal.aborted) seen.push(await store().load());
    };
    const reader = read();
    await Promise.all(answers.map((bytes) => store().save(bytes)));
    reading.abort();
    await reader;
    seen.push(await store().load());
    for (const bytes of seen) expect(bytes?.length).toBe(1_000_000 + (bytes?.[0] ?? -1));
    expect(readdirSync(join(folder, "s"))).toHaveLength(1);
  });

  test("that cannot be written is no failure, and says so", async ({ expect }) => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const warnings: string[] = [];
    const store = createSchemaStore({ folder: join(file, "s"), packageHash, onWarning: (message) => warnings.push(message) }, 6);
    await store.save(answer);
    expect(await store.load()).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("could not be kept in")]);
  });
});
