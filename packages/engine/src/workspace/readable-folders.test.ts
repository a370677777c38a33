// SPDX-License-Identifier: Apache-2.0
// The files that the functions of a configuration can read.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toJs } from "@tenon/cty";
import { afterAll, beforeAll, describe, test } from "vitest";
import { objectFiles, type ConfigurationFiles } from "../configuration/file-system.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";
import { openWorkspace } from "./workspace.ts";

let parent = "";
let root = "";

const files: Readonly<Record<string, string>> = {
  "secret.txt": "secret",
  "secret.tpl": "${name}",
  "shared/note.txt": "shared",
  "root/own.txt": "own",
  "root/own.tpl": "Hi ${name}",
  "root/outward.tpl": '${file("../secret.txt")}',
  "root/child/inner.txt": "inner",
  "root/child/main.tf": 'output "text" {\n  value = file("${path.module}/inner.txt")\n}\n',
  "terraform.tfstate": '{"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"a","outputs":{},"resources":[]}',
};

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), "tenon-readable-"));
  root = join(parent, "root");
  for (const folder of ["shared", "root/child"]) mkdirSync(join(parent, folder), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(parent, path), content);
  symlinkSync(join(parent, "secret.txt"), join(root, "link.txt"));
  symlinkSync(parent, join(root, "up"));
  symlinkSync(join(root, "own.txt"), join(root, "inside.txt"));
});
afterAll(() => rmSync(parent, { recursive: true }));

/** Plans one output in the root folder. Returns its value, or the details of the errors. */
async function planned(expression: string, options: Partial<WorkspaceOptions> = {}): Promise<unknown> {
  const main = `module "child" {\n  source = "./child"\n}\noutput "value" {\n  value = ${expression}\n}\n`;
  writeFileSync(join(root, "main.tf"), main);
  const workspace = openWorkspace({ configuration: root, providers: {}, ...options });
  await using plan = await workspace.plan();
  if (plan.errored) return plan.diagnostics.map(({ detail }) => detail).join("\n");
  return toJs(plan.changes.outputs[0]!.after);
}

const refused = "functions may only read files below";

describe("readableFolders", () => {
  test.for([
    ['file("own.txt")', "own"],
    ['file("./child/../own.txt")', "own"],
    ['file("${path.root}/own.txt")', "own"],
    ['file("${path.module}/inside.txt")', "own"],
    ['templatefile("own.tpl", { name = "you" })', "Hi you"],
    ['fileset(".", "*.txt")', ["inside.txt", "own.txt"]],
    ['fileset("child", "*.txt")', ["inner.txt"]],
    ['fileset(".", "**/*.txt")', ["child/inner.txt", "inside.txt", "own.txt"]],
    ["module.child.text", "inner"],
  ] as const)("allows %s in the root module's folder", async ([expression, value], { expect }) => {
    expect(await planned(expression, { readableFolders: [] })).toEqual(value);
  });

  test.for([
    'file("../secret.txt")',
    'file("child/../../secret.txt")',
    'file("/etc/passwd")',
    'file("~/.ssh/id_rsa")',
    'file("link.txt")',
    'file("up/secret.txt")',
    'filebase64("../secret.txt")',
    'filesha256("link.txt")',
    'filemd5("../secret.txt")',
    'fileexists("../secret.txt")',
    'fileexists("up/secret.txt")',
    'templatefile("../secret.tpl", { name = "a" })',
    'templatefile("outward.tpl", {})',
    'fileset("..", "*")',
    'fileset("..", "secret.txt")',
    'fileset(".", "../*")',
    'fileset(".", "{child,..}/*.txt")',
  ])("refuses %s", async (expression, { expect }) => {
    const result = await planned(expression, { readableFolders: [] });
    expect(result).toContain(refused);
    expect(result).not.toContain("secret.txt\n");
  });

  test("allows further folders that the caller names", async ({ expect }) => {
    const readableFolders = [join(parent, "shared")];
    expect(await planned('file("../shared/note.txt")', { readableFolders })).toBe("shared");
    expect(await planned('file("../secret.txt")', { readableFolders })).toContain(refused);
  });

  test("does not show a sensitive path", async ({ expect }) => {
    const result = await planned('file(sensitive("../hidden-name.txt"))', { readableFolders: [] });
    expect(result).toContain(refused);
    expect(result).not.toContain("hidden-name");
  });

  test("applies to local states of terraform_remote_state", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-readable-"));
    try {
      const config = `backend = "local"\n  config = { path = "${parent}/terraform.tfstate" }`;
      writeFileSync(join(folder, "main.tf"), `data "terraform_remote_state" "other" {\n  ${config}\n}\n`);
      await using refusedPlan = await openWorkspace({ configuration: folder, providers: {}, readableFolders: [] }).plan();
      expect(refusedPlan.diagnostics.map(({ summary }) => summary).join()).toContain(refused);
      await using allowed = await openWorkspace({ configuration: folder, providers: {}, readableFolders: [parent] }).plan();
      expect(allowed.diagnostics).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("is not limited by default", async ({ expect }) => {
    expect(await planned('file("link.txt")')).toBe("secret");
    expect(await planned('file("../secret.txt")')).toBe("secret");
  });
});

describe("the functions of a configuration in memory", () => {
  const configuration = objectFiles({
    "main.tf": 'output "value" {\n  value = [file("a.txt"), fileset(".", "**/*.txt"), fileexists("b.txt"), module.child.text]\n}\n',
    "child.tf": 'module "child" {\n  source = "./child"\n}\n',
    "a.txt": "A",
    "deep/er/b.txt": "B",
    "child/main.tf": 'output "text" {\n  value = templatefile("${path.module}/c.tpl", { name = "you" })\n}\n',
    "child/c.tpl": "Hi ${name}",
  });

  test("read files of the configuration", async ({ expect }) => {
    await using plan = await openWorkspace({ configuration, providers: {} }).plan();
    expect(plan.diagnostics).toEqual([]);
    expect(toJs(plan.changes.outputs[0]!.after)).toEqual(["A", ["a.txt", "deep/er/b.txt"], false, "Hi you"]);
  });

  test("do not read files on disk", async ({ expect }) => {
    const main = { "main.tf": `output "value" {\n  value = file("${parent}/secret.txt")\n}\n` };
    await using plan = await openWorkspace({ configuration: objectFiles(main), providers: {} }).plan();
    expect(plan.diagnostics.map(({ detail }) => detail).join()).toContain("no file exists at");
  });

  test("report an error if the files are read asynchronously", async ({ expect }) => {
    const asynchronous: ConfigurationFiles = {
      read: async (path) => configuration.read(path),
      list: async (folder) => configuration.list(folder),
    };
    await using plan = await openWorkspace({ configuration: asynchronous, providers: {} }).plan();
    expect(plan.diagnostics.map(({ detail }) => detail).join()).toContain("because they are read asynchronously");
  });
});
