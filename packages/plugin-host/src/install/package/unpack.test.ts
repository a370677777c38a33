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
/** Writes an archive, and says where, and to where it may be unpacked. */
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
    ["a name that climbs", [{ name: "../evil" }], "invalid relative path"],
    ["a name that climbs within", [{ name: "a/../../evil" }], "invalid relative path"],
    ["an absolute name", [{ name: "/etc/passwd" }], "absolute path"],
    ["a drive", [{ name: "C:evil" }], "absolute path"],
    ["a hidden stream", [{ name: "ab:c" }], "characters"],
    ["a backslash", [{ name: "..\\evil" }], "invalid characters"],
    ["an empty part", [{ name: "a//b" }], "not a name within it"],
    ["a dot", [{ name: "./a" }], "not a name within it"],
    ["a line break", [{ name: "a\nb" }], "characters"],
    ["a symbolic link", [{ name: "a", data: "/etc/passwd", mode: 0o120777 }], "neither a file nor a folder"],
    ["a device", [{ name: "a", mode: 0o020666 }], "neither a file nor a folder"],
    ["a pipe", [{ name: "a", mode: 0o010666 }], "neither a file nor a folder"],
    ["a file that is a folder", [{ name: "a", mode: 0o040755 }], "neither a file nor a folder"],
    ["a folder with contents", [{ name: "a/", data: "x", mode: 0o040755 }], "contents of its own"],
    ["two of one name", [{ name: "a" }, { name: "a" }], "in it twice"],
    ["two that differ by case", [{ name: "a" }, { name: "A" }], "in it twice"],
    ["a file and a folder of one name", [{ name: "a" }, { name: "a/", mode: 0o040755 }], "in it twice"],
    ["encryption", [{ name: "a", flags: 0x801 }], "is encrypted"],
    ["another compression", [{ name: "a", method: 12 }], "method 12"],
    ["a wrong check sum", [{ name: "a", data: "x", declaredSum: 1 }], "check sum is wrong"],
    ["more than declared", [{ name: "a", data: "xxxx", declaredSize: 1 }], "is damaged"],
    ["less than declared", [{ name: "a", data: "x", declaredSize: 100 }], "is damaged"],
    ["a bomb", [{ name: "a", data: bomb }], "bytes, which is the limit"],
    ["no archive", Buffer.from("<html>"), "central directory"],
    ["half of one", zipOf([{ name: "a", data: "content" }]).subarray(0, 60), "central directory"],
  ])("refuses %s, and leaves nothing", async ([, content, reason], { expect }) => {
    const { zip, place, target } = archive(content);
    await expect(unpackPackage(zip, target)).rejects.toMatchObject({ code: "PACKAGE_MALFORMED", message: expect.stringContaining(reason) });
    expect(readdirSync(place, { recursive: true })).toEqual(["deep"]);
  });

  test("refuses more entries than its limit", async ({ expect }) => {
    const { zip, target } = archive(Array.from({ length: 11 }, (_, index) => ({ name: `f${index}` })));
    await expect(unpackPackage(zip, target, { maxEntries: 10 })).rejects.toThrow("it has 11 entries, and 10 are the limit");
    await unpackPackage(zip, target, { maxEntries: 11 });
    await expect(unpackPackage(zip, target)).rejects.toMatchObject({ syscall: "rename" });
  });
});

describe("hashes", () => {
  test("are those of Go's dirhash (pitfall 30)", async ({ expect }) => {
    const { zip, target } = archive([
      { name: "b", data: "beta" },
      { name: "a/z", data: "zeta" },
      { name: "a-", data: "minus" },
      { name: "é", data: "" },
    ]);
    await unpackPackage(zip, target);
    // By golang.org/x/mod/sumdb/dirhash, HashZip and HashDir.
    const expected = "h1:GinhmRuPH3YNK6F14dkoakN5SRO0fICsnIuRRPZMJvw=";
    expect(await hashPackageZip(zip)).toBe(expected);
    expect(await hashPackageFolder(target)).toBe(expected);
    const link = `${target}-link`;
    symlinkSync(target, link);
    expect(await hashPackageFolder(link)).toBe(expected);
    expect(await hashZipFile(zip)).toMatch(/^zh:[0-9a-f]{64}$/);
  });

  test("of folders in an archive count in it, but not once it is unpacked", async ({ expect }) => {
    const { zip, target } = archive([{ name: "d/", mode: 0o040755 }]);
    await unpackPackage(zip, target);
    expect(await hashPackageFolder(target)).toBe("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    expect(await hashPackageZip(zip)).toBe("h1:TToLPxZTvn/Q8BKo/HETQHnY0SkYaL8GZf6r64G58UE=");
  });
});
