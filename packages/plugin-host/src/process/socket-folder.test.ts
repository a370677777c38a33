// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "vitest";
import { createSocketFolder, removeSocketFolder, removeStraySocket } from "./socket-folder.ts";

describe.runIf(process.platform !== "win32")("the folder of a provider's socket", () => {
  test("is accessible to its owner only, and is removed with its content", ({ expect }) => {
    const folder = createSocketFolder()!;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    writeFileSync(join(folder, "plugin123"), "");
    removeSocketFolder(folder);
    expect(existsSync(folder)).toBe(false);
    removeSocketFolder(folder);
    removeSocketFolder(undefined);
  });

  test("keeps the socket's path within the limit of every system in a deep temporary folder (pitfall 11)", ({ expect, onTestFinished }) => {
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

describe.runIf(process.platform !== "win32")("removeStraySocket", () => {
  /** Whether a file or socket of this name exists after removeStraySocket. */
  async function existsAfter(name: string, options: { readonly startedAt?: number; readonly isFile?: boolean } = {}): Promise<boolean> {
    const temporary = mkdtempSync(join(tmpdir(), "stray-"));
    const path = join(temporary, name);
    mkdirSync(dirname(path), { recursive: true });
    const server = createServer();
    if (options.isFile) writeFileSync(path, "");
    else await new Promise<void>((resolve) => server.listen(path, resolve));
    removeStraySocket(path, options.startedAt ?? Date.now() - 1000, temporary);
    const exists = existsSync(path);
    server.close();
    rmSync(temporary, { recursive: true });
    return exists;
  }

  test("removes a socket that the provider created in the temporary folder, and no other file", async ({ expect }) => {
    expect(await existsAfter("own.sock")).toBe(false);
    expect(await existsAfter("older.sock", { startedAt: Date.now() + 60_000 })).toBe(true);
    expect(await existsAfter("file", { isFile: true })).toBe(true);
    expect(await existsAfter("elsewhere/s.sock")).toBe(true);
    removeStraySocket(join(tmpdir(), "absent"), 0);
  });
});
