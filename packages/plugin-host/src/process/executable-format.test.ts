// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { handles, readExecutableFormat, whyForeign } from "./executable-format.ts";

const folder = mkdtempSync(join(tmpdir(), "executable-format-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file with these bytes at these offsets. */
function fileOf(...parts: readonly (readonly [offset: number, bytes: readonly number[]])[]): string {
  const content = Buffer.alloc(256);
  for (const [offset, bytes] of parts) content.set(bytes, offset);
  const path = join(folder, "file");
  writeFileSync(path, content);
  return path;
}

const elf = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1];

describe("readExecutableFormat", () => {
  test("recognises the format of this process's executable", ({ expect }) => {
    const format = readExecutableFormat(process.execPath);
    expect(format.machines).toContain(process.arch);
    expect(whyForeign(format)).toBeUndefined();
  });

  test("reads ELF, Mach-O, PE and script headers", ({ expect }) => {
    expect(readExecutableFormat(fileOf([0, elf], [18, [183, 0]]))).toEqual({ format: "ELF", machines: ["arm64"] });
    const bigEndian = fileOf([0, [0x7f, 0x45, 0x4c, 0x46, 2, 2, 1]], [18, [0, 22]]);
    expect(readExecutableFormat(bigEndian)).toEqual({ format: "ELF", machines: ["s390x"] });
    expect(readExecutableFormat(fileOf([0, elf], [18, [0xff, 0x7f]]))).toEqual({ format: "ELF", machines: ["machine 32767"] });
    expect(readExecutableFormat(fileOf([0, [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1]]))).toEqual({
      format: "Mach-O",
      machines: ["arm64"],
    });
    const universal = fileOf([0, [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2]], [8, [1, 0, 0, 7]], [28, [1, 0, 0, 0x0c]]);
    expect(readExecutableFormat(universal)).toEqual({ format: "Mach-O", machines: ["x64", "arm64"] });
    const windows = fileOf([0, [0x4d, 0x5a]], [0x3c, [0x80, 0, 0, 0]], [0x80, [0x50, 0x45, 0, 0, 0x64, 0x86]]);
    expect(readExecutableFormat(windows)).toEqual({ format: "PE", machines: ["x64"] });
    expect(readExecutableFormat(fileOf([0, [...Buffer.from("#! /usr/bin/env node\n")]]))).toEqual({
      format: "script",
      machines: [],
      interpreter: "/usr/bin/env",
    });
    expect(readExecutableFormat(fileOf())).toEqual({ format: "unknown", machines: [] });
    expect(readExecutableFormat(join(folder, "absent"))).toEqual({ format: "unreadable", machines: [] });
  });
});

describe("whyForeign", () => {
  test("compares the format with the platform and architecture", ({ expect }) => {
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

describe("handles", () => {
  const start = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 9]);
  test.for<[name: string, description: string, result: boolean]>([
    [
      "matches the first bytes under the mask",
      "enabled\ninterpreter /q\nflags: F\noffset 0\nmagic 7f454c46020101\nmask ffffffffffff00",
      true,
    ],
    ["matches bytes at an offset", "enabled\ninterpreter /q\nflags: \noffset 4\nmagic 0201", true],
    ["matches an extension", "enabled\ninterpreter /q\nflags: \nextension .pyz", true],
    ["ignores a handler that is disabled", "disabled\ninterpreter /q\nflags: \noffset 4\nmagic 0201", false],
    ["ignores a handler for other bytes", "enabled\ninterpreter /q\nflags: \noffset 0\nmagic 4d5a", false],
  ])("%s", ([, description, result], { expect }) => {
    expect(handles(description, "/bin/provider.pyz", start)).toBe(result);
  });
});
