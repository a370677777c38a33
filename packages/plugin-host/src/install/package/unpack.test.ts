// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { type ZipEntry, zipOf } from "../../../test/zip.ts";
import { hashPackageFolder, hashPackageZip, hashZipFile } from "./package-hash.ts";
import { unpackPackage } from "./unpack.ts";

const folder = mkdtempSync(join(tmpdir(), "unpack-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
/** Writes an archive, and returns its path and a target folder for its content. */
function archive(content: readonly ZipEntry[] | Buffer): { readonly zip: string; readonly place: string; readonly target: string } {
  const place = join(folder, `${count++}`);
  const zip = `${place}.zip`;
  writeFileSync(zip, Buffer.isBuffer(content) ? content : zipOf(content));
  return { zip, place, target: join(place, "deep", "linux_amd64") };
}

describe("unpackPackage", () => {
  test("unpacks files and folders with their modes (pitfall 31)", async ({ expect }) => {
    const { zip, target } = archive([
      { name: "terraform-provider-notes_v1.0.0", data: "#!/bin/sh\n", mode: 0o100755 },
      { name: "docs/", mode: 0o040755 },
      { name: "docs/LICENSE", data: "free", mode: 0o100644 },
      { name: "from-elsewhere", data: "", madeBy: 0, mode: 0 },
      { name: "setuid", data: "", mode: 0o104755 },
    ]);
    await unpackPackage(zip, target);
    expect(readdirSync(target, { recursive: true })).toEqual([
      "docs",
      "from-elsewhere",
      "setuid",
      "terraform-provider-notes_v1.0.0",
      "docs/LICENSE",
    ]);
    expect(readFileSync(join(target, "docs/LICENSE"), "utf8")).toBe("free");
    const mode = (name: string): number => statSync(join(target, name)).mode & 0o7777;
    expect([mode("terraform-provider-notes_v1.0.0"), mode("docs/LICENSE"), mode("from-elsewhere"), mode("setuid"), mode("")]).toEqual([
      0o755, 0o644, 0o644, 0o755, 0o755,
    ]);
    expect(readdirSync(join(target, ".."))).toEqual(["linux_amd64"]);
  });

  const bomb = Buffer.alloc(80 * 2 ** 20);
  test.for<[string, readonly ZipEntry[] | Buffer, string]>([
    ["a path with leading ..", [{ name: "../evil" }], "invalid relative path"],
    ["a path with .. in the middle", [{ name: "a/../../evil" }], "invalid relative path"],
    ["an absolute path", [{ name: "/etc/passwd" }], "absolute path"],
    ["a drive letter", [{ name: "C:evil" }], "absolute path"],
    ["an alternate data stream", [{ name: "ab:c" }], "characters that are not allowed"],
    ["a backslash", [{ name: "..\\evil" }], "invalid characters"],
    ["an empty path segment", [{ name: "a//b" }], "not a relative path"],
    ["a . segment", [{ name: "./a" }], "not a relative path"],
    ["a line break", [{ name: "a\nb" }], "characters"],
    ["a symbolic link", [{ name: "a", data: "/etc/passwd", mode: 0o120777 }], "neither a file nor a folder"],
    ["a device", [{ name: "a", mode: 0o020666 }], "neither a file nor a folder"],
    ["a pipe", [{ name: "a", mode: 0o010666 }], "neither a file nor a folder"],
    ["a file name with the mode of a folder", [{ name: "a", mode: 0o040755 }], "neither a file nor a folder"],
    ["a folder with data", [{ name: "a/", data: "x", mode: 0o040755 }], "a folder with data"],
    ["duplicate names", [{ name: "a" }, { name: "a" }], "occurs twice"],
    ["names that differ only in case", [{ name: "a" }, { name: "A" }], "occurs twice"],
    ["a file and a folder of the same name", [{ name: "a" }, { name: "a/", mode: 0o040755 }], "occurs twice"],
    ["an encrypted entry", [{ name: "a", flags: 0x801 }], "is encrypted"],
    ["an unsupported compression method", [{ name: "a", method: 12 }], "method 12"],
    ["a wrong checksum", [{ name: "a", data: "x", declaredSum: 1 }], "checksum is wrong"],
    ["more data than declared", [{ name: "a", data: "xxxx", declaredSize: 1 }], "is damaged"],
    ["less data than declared", [{ name: "a", data: "x", declaredSize: 100 }], "is damaged"],
    ["a zip bomb", [{ name: "a", data: bomb }], "bytes of content, which is the limit"],
    ["a file that is not an archive", Buffer.from("<html>"), "central directory"],
    ["a truncated archive", zipOf([{ name: "a", data: "content" }]).subarray(0, 60), "central directory"],
  ])("rejects %s, and leaves no file behind", async ([, content, reason], { expect }) => {
    const { zip, place, target } = archive(content);
    await expect(unpackPackage(zip, target)).rejects.toMatchObject({ code: "PACKAGE_MALFORMED", message: expect.stringContaining(reason) });
    expect(readdirSync(place, { recursive: true })).toEqual(["deep"]);
  });

  test("rejects an archive with more entries than its limit", async ({ expect }) => {
    const { zip, target } = archive(Array.from({ length: 11 }, (_, index) => ({ name: `f${index}` })));
    await expect(unpackPackage(zip, target, { maxEntries: 10 })).rejects.toThrow("it has 11 entries, but the limit is 10");
    await unpackPackage(zip, target, { maxEntries: 11 });
    await expect(unpackPackage(zip, target)).rejects.toMatchObject({ syscall: "rename" });
  });
});

describe("package hashes", () => {
  test("equal those of Go's dirhash (pitfall 30)", async ({ expect }) => {
    const { zip, target } = archive([
      { name: "b", data: "beta" },
      { name: "a/z", data: "zeta" },
      { name: "a-", data: "minus" },
      { name: "é", data: "" },
    ]);
    await unpackPackage(zip, target);
    // Computed with HashZip and HashDir of golang.org/x/mod/sumdb/dirhash.
    const expected = "h1:GinhmRuPH3YNK6F14dkoakN5SRO0fICsnIuRRPZMJvw=";
    expect(await hashPackageZip(zip)).toBe(expected);
    expect(await hashPackageFolder(target)).toBe(expected);
    const link = `${target}-link`;
    symlinkSync(target, link);
    expect(await hashPackageFolder(link)).toBe(expected);
    expect(await hashZipFile(zip)).toMatch(/^zh:[0-9a-f]{64}$/);
  });

  test("include empty folders of an archive, but not of an unpacked package", async ({ expect }) => {
    const { zip, target } = archive([{ name: "d/", mode: 0o040755 }]);
    await unpackPackage(zip, target);
    expect(await hashPackageFolder(target)).toBe("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    expect(await hashPackageZip(zip)).toBe("h1:TToLPxZTvn/Q8BKo/HETQHnY0SkYaL8GZf6r64G58UE=");
  });
});
