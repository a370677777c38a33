// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { pluginArchive } from "./plugin-archive.ts";

test.skipIf(process.platform === "win32")("an archive is unpacked by tar, with contents and modes", ({ expect }) => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-archive-"));
  try {
    const large = new Uint8Array(100_000).map((_, at) => at % 251);
    const archive = pluginArchive([
      { name: "pulumi-resource-x", content: Buffer.from("#!/bin/sh\n"), executable: true },
      { name: "empty", content: new Uint8Array(), executable: false },
      { name: "large", content: large, executable: false },
    ]);
    writeFileSync(join(folder, "x.tar.gz"), archive);
    execFileSync("tar", ["xzf", "x.tar.gz"], { cwd: folder });
    expect(readFileSync(join(folder, "pulumi-resource-x"), "utf8")).toBe("#!/bin/sh\n");
    expect(statSync(join(folder, "pulumi-resource-x")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "empty")).size).toBe(0);
    expect(Buffer.compare(readFileSync(join(folder, "large")), large)).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
