// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { createSchemaStore, packageDataStore } from "./schema-cache.ts";

const packageHash = "h1:/+AcrI8NHNG0ndFy/7LDBKgG6CY5vC+cHQNlT3pQ5OM=";
const response = Buffer.from("an encoded schema");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "schema-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const cacheFile = (): string => join(folder, "s", readdirSync(join(folder, "s"))[0]!);

describe("a schema cache", () => {
  test("returns saved schemas for the same package and protocol only, in files for the owner only", async ({ expect }) => {
    const cache = { folder: join(folder, "s"), packageHash } as const;
    const store = createSchemaStore(cache, 6);
    expect(await store.load()).toBeUndefined();
    await store.save(response);
    expect(await store.load()).toEqual(response);
    expect(await createSchemaStore(cache, 5).load()).toBeUndefined();
    expect(await createSchemaStore({ ...cache, packageHash: "h1:AAAA" }, 6).load()).toBeUndefined();
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
    // The file of one protocol, renamed to that of another.
    writeFileSync(cacheFile().replace(".v6.", ".v5."), readFileSync(cacheFile()));
    expect(await createSchemaStore(cache, 5).load()).toBeUndefined();
  });

  test("ignores and replaces a truncated or damaged file", async ({ expect }) => {
    const store = createSchemaStore({ folder: join(folder, "s"), packageHash }, 6);
    await store.save(response);
    const whole = readFileSync(cacheFile());
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(cacheFile(), whole.subarray(0, length));
      expect(await store.load(), `${length} bytes`).toBeUndefined();
    }
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      writeFileSync(cacheFile(), damaged);
      expect(await store.load(), `byte ${at}`).toBeUndefined();
    }
    writeFileSync(cacheFile(), Buffer.concat([whole, whole]));
    expect(await store.load()).toBeUndefined();
    await store.save(response);
    expect(await store.load()).toEqual(response);
    expect(readdirSync(join(folder, "s"))).toHaveLength(1);
  });

  test("is never incomplete while several stores write it at the same time", async ({ expect }) => {
    const store = (): ReturnType<typeof createSchemaStore> => createSchemaStore({ folder: join(folder, "s"), packageHash }, 6);
    const responses = Array.from({ length: 12 }, (_, writer) => Buffer.alloc(1_000_000 + writer, writer));
    await store().save(responses[0]!);
    const seen: (Uint8Array | undefined)[] = [];
    const reading = new AbortController();
    const read = async (): Promise<void> => {
      while (!reading.signal.aborted) seen.push(await store().load());
    };
    const reader = read();
    await Promise.all(responses.map((bytes) => store().save(bytes)));
    reading.abort();
    await reader;
    seen.push(await store().load());
    for (const bytes of seen) expect(bytes?.length).toBe(1_000_000 + (bytes?.[0] ?? -1));
    expect(readdirSync(join(folder, "s"))).toHaveLength(1);
  });

  test.skipIf(process.platform === "win32")("does not use a folder that others can write to", async ({ expect }) => {
    const warnings: string[] = [];
    const store = createSchemaStore({ folder: join(folder, "s"), packageHash, onWarning: (message) => warnings.push(message) }, 6);
    await store.save(response);
    chmodSync(join(folder, "s"), 0o777);
    expect(await store.load()).toBeUndefined();
    await store.save(response);
    expect(warnings).toEqual([expect.stringContaining("others can write to it")]);
  });

  test("warns when it cannot be written", async ({ expect }) => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const warnings: string[] = [];
    const store = createSchemaStore({ folder: join(file, "s"), packageHash, onWarning: (message) => warnings.push(message) }, 6);
    await store.save(response);
    expect(await store.load()).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("cannot be cached in")]);
  });

  test("has further data about a package, by its purpose", async ({ expect }) => {
    const entry = { folder: join(folder, "s"), packageHash } as const;
    await packageDataStore(entry, "one").save(response);
    expect(await packageDataStore(entry, "one").load()).toEqual(response);
    expect(await packageDataStore(entry, "other").load()).toBeUndefined();
    expect(await createSchemaStore(entry, 6).load()).toBeUndefined();
  });
});
