// SPDX-License-Identifier: Apache-2.0
import { inflateRawSync } from "node:zlib";
import { describe, test } from "vitest";
import { zipArchive } from "./zip-archive.ts";

const files = [
  { name: "terraform-provider-x_v1.0.0", content: Buffer.from("#!/bin/sh\n"), executable: true },
  { name: "provider.mjs", content: Buffer.from("const a = 1;\n".repeat(100)), executable: false },
  { name: "grüße.txt", content: Buffer.alloc(0), executable: false },
];

/** Reads the central directory, as an extractor does. */
function readDirectory(zip: Buffer): { name: string; madeBy: number; mode: number; content: Buffer }[] {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const entry = {
      name: zip.toString("utf8", at + 46, at + 46 + nameLength),
      madeBy: zip[at + 5] ?? -1,
      mode: zip.readUInt32LE(at + 38) >>> 16,
      content: inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20))),
    };
    at += 46 + nameLength;
    return entry;
  });
}

describe("zipArchive", () => {
  test("stores every file with its Unix mode (pitfall 31)", ({ expect }) => {
    const entries = readDirectory(Buffer.from(zipArchive(files)));
    expect(entries.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
    expect(entries.map(({ content }) => content.toString())).toEqual(files.map(({ content }) => content.toString()));
    expect(entries.map(({ madeBy }) => madeBy)).toEqual([3, 3, 3]);
    expect(entries.map(({ mode }) => mode.toString(8))).toEqual(["100755", "100644", "100644"]);
  });

  test("creates equal bytes for equal files", ({ expect }) => {
    expect(Buffer.compare(zipArchive(files), zipArchive(files))).toBe(0);
  });
});
