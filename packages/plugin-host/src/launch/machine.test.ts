// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { readExecutableKind, whyForeign } from "./machine.ts";

const folder = mkdtempSync(join(tmpdir(), "machine-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file that starts with these bytes at these places. */
function fileOf(...parts: readonly (readonly [offset: number, bytes: readonly number[]])[]): string {
  const content = Buffer.alloc(256);
  for (const [offset, bytes] of parts) content.set(bytes, offset);
  const path = join(folder, "file");
  writeFileSync(path, content);
  return path;
}

const elf = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1];

describe("readExecutableKind", () => {
  test("knows what this process runs on", async ({ expect }) => {
    const kind = await readExecutableKind(process.execPath);
    expect(kind.machines).toContain(process.arch);
    expect(whyForeign(kind)).toBeUndefined();
  });

  test("reads the headers of every system", async ({ expect }) => {
    expect(await readExecutableKind(fileOf([0, elf], [18, [183, 0]]))).toEqual({ format: "ELF", machines: ["arm64"] });
    const bigEndian = fileOf([0, [0x7f, 0x45, 0x4c, 0x46, 2, 2, 1]], [18, [0, 22]]);
    expect(await readExecutableKind(bigEndian)).toEqual({ format: "ELF", machines: ["s390x"] });
    expect(await readExecutableKind(fileOf([0, elf], [18, [0xff, 0x7f]]))).toEqual({ format: "ELF", machines: ["machine 32767"] });
    expect(await readExecutableKind(fileOf([0, [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1]]))).toEqual({
      format: "Mach-O",
      machines: ["arm64"],
    });
    const universal = fileOf([0, [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2]], [8, [1, 0, 0, 7]], [28, [1, 0, 0, 0x0c]]);
    expect(await readExecutableKind(universal)).toEqual({ format: "Mach-O", machines: ["x64", "arm64"] });
    const windows = fileOf([0, [0x4d, 0x5a]], [0x3c, [0x80, 0, 0, 0]], [0x80, [0x50, 0x45, 0, 0, 0x64, 0x86]]);
    expect(await readExecutableKind(windows)).toEqual({ format: "PE", machines: ["x64"] });
    expect(await readExecutableKind(fileOf([0, [...Buffer.from("#! /usr/bin/env node\n")]]))).toEqual({
      format: "script",
      machines: [],
      interpreter: "/usr/bin/env",
    });
    expect(await readExecutableKind(fileOf())).toEqual({ format: "unknown", machines: [] });
    expect(await readExecutableKind(join(folder, "absent"))).toEqual({ format: "unknown", machines: [] });
  });
});

describe("whyForeign", () => {
  test("compares with the machine", ({ expect }) => {
    expect(whyForeign({ format: "ELF", machines: ["x64"] }, "linux", "x64")).toBeUndefined();
    expect(whyForeign({ format: "Mach-O", machines: ["x64", "arm64"] }, "darwin", "arm64")).toBeUndefined();
    expect(whyForeign({ format: "script", machines: [] }, "linux", "x64")).toBeUndefined();
    expect(whyForeign({ format: "PE", machines: ["x64"] }, "linux", "x64")).toBe(
      "is a PE executable for x64, but this machine is linux x64; install the provider's build for it",
    );
    expect(whyForeign({ format: "Mach-O", machines: ["x64", "arm64"] }, "linux", "x64")).toMatch(
      /^is a Mach-O executable for x64 and arm64, but/,
    );
    expect(whyForeign({ format: "ELF", machines: ["arm64"] }, "linux", "x64")).toMatch(/^is an ELF executable for arm64, but/);
  });
});
