// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { mergeBodies } from "../body/merged-body.ts";
import { formatDiagnostics } from "../report/format.ts";
import { diskFiles, memoryFiles } from "./file-system.ts";
import { loadFiles } from "./load.ts";

const texts = new Map([
  ["main.tf", "a = 1\n"],
  ["./more.tf.json", '{"b": 2}'],
  ["sub/other.tf", "c = \n"],
]);

test("loads the same files from memory and from the disk", ({ expect }) => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-files-"));
  try {
    mkdirSync(join(folder, "sub"));
    for (const [path, text] of texts) writeFileSync(join(folder, path), text);
    const memory = memoryFiles(new Map([...texts].map(([path, text]) => [join(folder, path), text])));
    for (const from of [diskFiles, memory]) {
      expect(from.list(folder)).toEqual(["main.tf", "more.tf.json"]);
      expect(from.list(join(folder, "absent"))).toBeUndefined();
      const paths = from.list(folder)!.map((name) => join(folder, name));
      const { files, diagnostics } = loadFiles(paths, from);
      expect(diagnostics).toEqual([]);
      const { attributes } = mergeBodies(files.map(({ body }) => body)).justAttributes();
      expect([...attributes.keys()]).toEqual(["a", "b"]);
      expect(files.map(({ syntax }) => syntax?.kind)).toEqual(["body", undefined]);
      expect(loadFiles([join(folder, "sub")], from).diagnostics.map(({ summary }) => summary)).toEqual(["Failed to read file"]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("reports files that cannot be read or parsed, and keeps their sources", ({ expect }) => {
  const { files, diagnostics, sources } = loadFiles(["gone.tf", "sub/other.tf", "sub/other.tf"], memoryFiles(texts));
  expect(files.map(({ path }) => path)).toEqual(["sub/other.tf"]);
  const shown = formatDiagnostics(diagnostics, sources, { color: false });
  expect(shown).toContain('The configuration file "gone.tf" could not be read.');
  expect(shown).toContain("  on sub/other.tf line 1:\n   1: c = \n");
});

test("prefers files in memory over the fallback", ({ expect }) => {
  const open = memoryFiles(new Map([["main.tf", "a = 2\n"]]), memoryFiles(texts));
  expect(open.read("./main.tf")).toBe("a = 2\n");
  expect(open.read("sub/other.tf")).toBe("c = \n");
  expect(open.list(".")).toEqual(["main.tf", "more.tf.json"]);
  expect(open.list("sub/")).toEqual(["other.tf"]);
});
