// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { of, string, toJs } from "@tenon/cty";
import { formatRange } from "@tenon/hcl";
import { diskFiles, memoryFiles } from "@tenon/hcl/files";
import { describe, test } from "vitest";
import {
  descendant,
  loadConfiguration,
  localModules,
  moduleFilesAmong,
  objectFiles,
  providerRequirements,
  type ConfigurationFiles,
} from "./index.ts";

const twoModules = {
  "main.tf": 'variable "folder" {\n  default = "./app"\n}\nmodule "app" {\n  source = var.folder\n  size   = 2\n}\n',
  "app/main.tf": 'variable "size" {\n  type = number\n}\nresource "time_sleep" "a" {\n  count = var.size\n}\n',
};

describe("loadConfiguration", () => {
  test("loads the modules that the root module calls", async ({ expect }) => {
    const { configuration, diagnostics } = await loadConfiguration({ files: objectFiles(twoModules) });
    expect(diagnostics).toEqual([]);
    expect(descendant(configuration!, ["app"])?.module.folder).toBe("app");
    expect([...providerRequirements(configuration!).requirements.keys()]).toEqual(["registry.opentofu.org/hashicorp/time"]);
  });

  test("reads from the disk", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "configuration-"));
    try {
      mkdirSync(join(folder, "app"));
      for (const [path, text] of Object.entries(twoModules)) writeFileSync(join(folder, path), text);
      const { configuration, diagnostics } = await loadConfiguration({ files: diskFiles, folder });
      expect(diagnostics).toEqual([]);
      expect([...configuration!.children.keys()]).toEqual(["app"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("loads plain objects as files of the JSON syntax, with ranges in their JSON", async ({ expect }) => {
    const files = objectFiles({ "cdk.tf.json": { output: { a: { value: "${1 + 1}", sensitive: "maybe" } } } });
    const { configuration, diagnostics, sources } = await loadConfiguration({ files });
    expect(configuration?.module.outputs.has("a")).toBe(true);
    expect(diagnostics.map(({ summary, subject }) => [summary, formatRange(subject!)])).toEqual([
      ["Unsuitable value type", "cdk.tf.json:5,20-27"],
    ]);
    expect([...sources.keys()]).toEqual(["cdk.tf.json"]);
  });

  test("reads each file once if its module has several calls", async ({ expect }) => {
    const files = memoryFiles(
      new Map(Object.entries({ "main.tf": 'module "a" {\n  source = "./m"\n}\nmodule "b" {\n  source = "./m"\n}\n', "m/main.tf": "" })),
    );
    const reads: string[] = [];
    const counted: ConfigurationFiles = {
      list: async (folder) => await Promise.resolve(files.list(folder)),
      read: (path) => {
        reads.push(path);
        return Promise.resolve(files.read(path));
      },
    };
    const { configuration } = await loadConfiguration({ files: counted });
    expect(configuration!.children.get("a")!.module).toBe(configuration!.children.get("b")!.module);
    expect(reads).toEqual(["main.tf", "m/main.tf"]);
  });

  test("evaluates sources with the values of variables", async ({ expect }) => {
    const { configuration } = await loadConfiguration({
      files: objectFiles({ ...twoModules, "other/main.tf": 'variable "size" {}\n' }),
      variables: new Map([["folder", of(string, "./other")]]),
    });
    expect(configuration?.children.get("app")?.module.folder).toBe("other");
  });

  test("calls the resolver for modules that are not local", async ({ expect }) => {
    const { configuration, diagnostics } = await loadConfiguration({
      files: objectFiles({ "main.tf": 'module "m" {\n  source  = "acme/net/aws"\n  version = "~> 1.0"\n}\n', "cache/net/main.tf": "" }),
      resolveModule: (request) =>
        request.source?.kind === "registry" ? { folder: "cache/net", version: "1.2.0", diagnostics: [] } : localModules(request),
    });
    expect(diagnostics).toEqual([]);
    expect(configuration?.children.get("m")).toMatchObject({ version: "1.2.0", source: { kind: "registry", namespace: "acme" } });
  });

  test("returns the static scope of each module", async ({ expect }) => {
    const { configuration } = await loadConfiguration({
      files: objectFiles({ "main.tf": 'locals {\n  a = "x-${terraform.workspace}"\n}\n' }),
      workspace: "eu",
    });
    const local = configuration!.module.locals.get("a")!;
    const { value } = configuration!.staticScope.evaluate(local.expression, { module: [], name: "backend.s3" });
    expect(toJs(value)).toBe("x-eu");
  });

  test("reports a folder that cannot be read", async ({ expect }) => {
    const { configuration, diagnostics } = await loadConfiguration({ files: objectFiles({ "a/main.tf": "" }), folder: "b" });
    expect(configuration).toBeUndefined();
    expect(diagnostics[0]?.summary).toBe("Failed to read module directory");
  });
});

test("moduleFilesAmong selects files by name, and prefers .tofu files to .tf files", ({ expect }) => {
  const names = [".a.tf", "a.tf", "a.tofu", "b.tf.json", "b_override.tf", "c.tf~", "d.tftest.hcl", "e.txt", "override.tofu.json"];
  expect(moduleFilesAmong(names)).toEqual({
    primary: ["a.tofu", "b.tf.json"],
    override: ["b_override.tf", "override.tofu.json"],
    tests: ["d.tftest.hcl"],
  });
});
