// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { formatLockFile } from "./lock-file.ts";
import { pruneLockFile } from "./prune-lock-file.ts";
import { readLockFile } from "./read-lock-file.ts";

const header = '# This file is maintained automatically by "tofu init".\n# Manual edits may be lost in future updates.\n';
const written = `${header}
provider "example.com/acme/notes" {
  version = "1.2.0"
}

provider "registry.opentofu.org/acme/notes" {
  version     = "1.2.3-beta+x"
  constraints = "~> 1.2, != 1.2.1"
  hashes = [
    "h1:aaaa",
    "h9:hash-of-a-future-kind",
    "zh:bbbb",
  ]
}

provider "registry.opentofu.org/acme/pages" {
  version = "0.1.0"
  hashes = [
    "zh:cccc",
  ]
}
`;

describe("lock files", () => {
  test("have the same bytes after reading and writing (pitfall 33)", ({ expect }) => {
    expect(formatLockFile(readLockFile(written, "lock"), "opentofu")).toBe(written);
    expect(formatLockFile(new Map(), "terraform")).toBe(header.replace("tofu", "terraform"));
  });

  test("lose the entries of providers that are no longer required", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-lock-"));
    try {
      const path = join(folder, ".terraform.lock.hcl");
      const required = new Set(["registry.opentofu.org/acme/pages", "registry.opentofu.org/acme/absent"]);
      await pruneLockFile(path, required);
      expect(readdirSync(folder)).toEqual([]);
      writeFileSync(path, written);
      await pruneLockFile(path, required);
      expect([...readLockFile(readFileSync(path, "utf8"), "lock").keys()]).toEqual(["registry.opentofu.org/acme/pages"]);
      const { ino } = statSync(path);
      await pruneLockFile(path, required);
      expect(statSync(path).ino).toBe(ino);
      expect(readdirSync(folder)).toEqual([".terraform.lock.hcl"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("may contain module blocks, which are ignored", ({ expect }) => {
    expect(readLockFile('module "m" {}\n', "lock")).toEqual(new Map());
  });

  const entry = (body: string, address = "example.com/acme/notes"): string => `provider "${address}" {\n${body}\n}\n`;
  test.for([
    ["provider {", "lock, line 1:"],
    [entry('version = "1.0"'), 'lock, line 2: the version "1.0" must be "1.0.0"'],
    [entry('version = "x"'), 'lock, line 2: "x" is not a version'],
    [entry('version = "1.0.0"\nconstraints = ">=1"'), 'must be written as ">= 1.0.0"'],
    [entry('version = "1.0.0"\nconstraints = "a"'), "is not a version constraint"],
    [entry('version = "1.0.0"\nhashes = []'), "hashes must contain at least one hash, or be omitted"],
    [entry('version = "1.0.0"\nhashes = ["x"]'), "must begin with its kind and a colon"],
    [entry('version = "1.0.0"\nhashes = foo()'), "A static list expression is required"],
    [entry('version = "1.0.0"\nextra = 1'), 'An argument named "extra" is not expected here'],
    [entry("version = null"), "expected a string"],
    [entry("version = a.b"), "lock, line 2: Variables not allowed"],
    [entry(""), 'The argument "version" is required'],
    [entry('version = "1.0.0"', "acme/notes"), "must be written in full"],
    [entry('version = "1.0.0"', "Example.com/acme/notes"), "must be written in full, and in lower case"],
    [entry('version = "1.0.0"', "terraform.io/builtin/terraform"), "is part of the CLIs"],
    [entry('version = "1.0.0"').repeat(2), "lock, line 4: there are two entries for example.com/acme/notes"],
    ["other {}\n", 'Blocks of type "other" are not expected here'],
  ])("reject %j (pitfall 33)", ([text, message], { expect }) => {
    expect(() => readLockFile(text!, "lock")).toThrow(
      expect.objectContaining({ code: "INVALID_LOCK_FILE", message: expect.stringContaining(message!) }),
    );
  });
});
