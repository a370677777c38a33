// SPDX-License-Identifier: Apache-2.0
// The page on validation says for each validator and plan modifier of Go's framework what stands for it here.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import * as sdk from "../src/index.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/validation.md"), "utf8");
const rows = [...page.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, theirs = "", ours = ""]) => ({ theirs, ours }));
const codes = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

test("names only what there is", ({ expect }) => {
  const named = rows
    .flatMap(({ ours }) => codes(ours))
    .flatMap((code) => [...code.matchAll(/\b([a-z]\w+)(?=\(|$)/g)].map(([, name = ""]) => name));
  expect(named.length).toBeGreaterThan(30);
  const options = new Set(["default", "required", "validators", "parent", "at"]);
  expect(named.filter((name) => !options.has(name) && !(name in sdk))).toEqual([]);
});

/** Folder of a Go module, where somebody has fetched it. */
function goModule(name: string): string | undefined {
  try {
    const cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim();
    const folder = join(cache, "github.com/hashicorp", name);
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Functions that packages with such names export, tests and examples aside. */
function functionsIn(folder: string, suffix: string): readonly string[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
  const sources = files.map((file) => readFileSync(file, "utf8"));
  return [...new Set(sources.flatMap((source) => [...source.matchAll(/^func ([A-Z]\w*)/gm)].map(([, name = ""]) => name)))].toSorted();
}

const validators = goModule("terraform-plugin-framework-validators@v0.19.0");
const framework = goModule("terraform-plugin-framework@v1.19.0");
const theirs = new Set(rows.flatMap((row) => codes(row.theirs)));

describe("Go's framework", () => {
  test.skipIf(validators === undefined)("has no validator that the page leaves out", ({ expect }) => {
    const known = functionsIn(validators!, "validator");
    expect(known.length).toBeGreaterThan(40);
    expect(known.filter((name) => !theirs.has(name))).toEqual([]);
  });

  test.skipIf(framework === undefined)("has no plan modifier that the page leaves out", ({ expect }) => {
    const known = functionsIn(join(framework!, "resource/schema"), "planmodifier");
    expect(known.length).toBeGreaterThan(4);
    expect(known.filter((name) => !theirs.has(name))).toEqual([]);
  });
});
