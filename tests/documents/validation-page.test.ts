// SPDX-License-Identifier: Apache-2.0
// The page on validation names, for each validator and plan modifier of Go's framework, the equivalent of provider-sdk.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, test } from "vitest";
import { readDocument, root } from "./snippets.ts";

const page = readDocument("packages/provider-sdk/docs/validation.md");
const rows = [...page.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, theirs = "", ours = ""]) => ({ theirs, ours }));
const codes = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** Returns the names that the entry points of provider-sdk export. */
async function exportedNames(): Promise<ReadonlySet<string>> {
  const { exports } = JSON.parse(readDocument("packages/provider-sdk/package.json")) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const modules = await Promise.all(
    Object.values(exports).map((source) => import(pathToFileURL(join(root, "packages/provider-sdk", source)).href) as Promise<object>),
  );
  return new Set(modules.flatMap((module) => Object.keys(module)));
}

test("validation.md names only exported functions", async ({ expect }) => {
  const exported = await exportedNames();
  const named = rows
    .flatMap(({ ours }) => codes(ours))
    .flatMap((code) => [...code.matchAll(/\b([a-z]\w+)(?=\(|$)/g)].map(([, name = ""]) => name));
  expect(named.length).toBeGreaterThan(30);
  const options = new Set(["default", "required", "validators", "parent", "at"]);
  expect(named.filter((name) => !options.has(name) && !exported.has(name))).toEqual([]);
});

/**
 * Finds the folder of a Go module of HashiCorp's in the module cache.
 *
 * @throws Error when the module is absent and the environment has TENON_PEERS=required.
 */
function findGoModule(name: string): string | undefined {
  const folder = join(goModuleCache() ?? "", "github.com/hashicorp", name);
  if (existsSync(folder)) return folder;
  if (process.env["TENON_PEERS"] === "required") throw new Error(`TENON_PEERS=required, but ${whyAbsent(name)}`);
  return undefined;
}

const whyAbsent = (name: string): string =>
  `the Go module cache has no ${name}: run \`go mod download\` in tests/peers/framework-from-json`;

function goModuleCache(): string | undefined {
  // If the user's own caches are read-only, `npm run peers` keeps its caches in its output folder.
  const own = join(root, "tests/peers/.build/cache/modules");
  if (existsSync(own)) return own;
  try {
    return execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

/** Returns the names of the functions that the packages of a module export, without tests. */
function functionsIn(folder: string, suffix: string): readonly string[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
  const sources = files.map((file) => readFileSync(file, "utf8"));
  return [...new Set(sources.flatMap((source) => [...source.matchAll(/^func ([A-Z]\w*)/gm)].map(([, name = ""]) => name)))].toSorted();
}

const theirs = new Set(rows.flatMap((row) => codes(row.theirs)));

describe("validation.md", () => {
  test("names every validator of terraform-plugin-framework-validators", ({ expect, skip }) => {
    const name = "terraform-plugin-framework-validators@v0.19.0";
    const folder = findGoModule(name);
    skip(folder === undefined, whyAbsent(name));
    const known = functionsIn(folder!, "validator");
    expect(known.length).toBeGreaterThan(40);
    expect(known.filter((validator) => !theirs.has(validator))).toEqual([]);
  });

  test("names every plan modifier of terraform-plugin-framework", ({ expect, skip }) => {
    const name = "terraform-plugin-framework@v1.19.0";
    const folder = findGoModule(name);
    skip(folder === undefined, whyAbsent(name));
    const known = functionsIn(join(folder!, "resource/schema"), "planmodifier");
    expect(known.length).toBeGreaterThan(4);
    expect(known.filter((modifier) => !theirs.has(modifier))).toEqual([]);
  });
});
