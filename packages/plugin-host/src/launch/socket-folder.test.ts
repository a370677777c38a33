// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";
import { createSocketFolder, removeSocketFolder } from "./socket-folder.ts";

describe.runIf(process.platform !== "win32")("the folder of a provider's socket", () => {
  test("is closed to others, and goes with what is in it", ({ expect }) => {
    const folder = createSocketFolder()!;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder, "plugin123"), "");
    removeSocketFolder(folder);
    expect(existsSync(folder)).toBe(false);
    removeSocketFolder(folder);
    removeSocketFolder(undefined);
  });

  test("leaves a socket's path short enough for every system, however deep temporary files are (pitfall 11)", ({
    expect,
    onTestFinished,
  }) => {
    const root = mkdtempSync(join(tmpdir(), "deep-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const length of [60, 73, 74, 90, 120]) {
      const temporary = join(root, "d".repeat(length - root.length - 1));
      mkdirSync(temporary);
      const folder = createSocketFolder(temporary)!;
      onTestFinished(() => removeSocketFolder(folder));
      expect(Buffer.byteLength(join(folder, "plugin4294967295")), `${length}`).toBeLessThanOrEqual(103);
      expect(dirname(folder), `${length}`).toBe(length <= 73 ? temporary : "/tmp");
    }
  });
});
