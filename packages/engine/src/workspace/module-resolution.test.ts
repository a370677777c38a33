// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeCliConfig } from "@tenon/plugin-host/install";
import { afterAll, describe, test } from "vitest";
import { objectFiles } from "../configuration/file-system.ts";
import { openWorkspace } from "./workspace.ts";

const workshop = realpathSync(mkdtempSync(join(tmpdir(), "resolution-")));
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

const infra = join(workshop, "infra");
const shared = join(workshop, "shared");
for (const folder of [infra, shared, join(shared, "inner")]) mkdirSync(folder, { recursive: true });
writeFileSync(join(infra, "main.tf"), `module "m" {\n  source = "${shared}"\n}\noutput "o" {\n  value = module.m.o\n}\n`);
writeFileSync(join(shared, "main.tf"), 'module "inner" {\n  source = "./inner"\n}\noutput "o" {\n  value = module.inner.o\n}\n');
writeFileSync(join(shared, "inner", "main.tf"), 'output "o" {\n  value = "deep"\n}\n');

describe("modules of a configuration on disk", () => {
  test("are errors until they are installed, and used afterwards", async ({ expect }) => {
    const plain = openWorkspace({ configuration: infra });
    const { diagnostics } = await plain.validate();
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Module not installed"]);
    const installModules = { cliConfig: decodeCliConfig("", "cli.tfrc", "opentofu", {}) };
    const installing = await openWorkspace({ configuration: infra, installModules }).evaluate("module.m.o");
    expect(installing).toMatchObject({ text: '"deep"', diagnostics: [] });
    // What is installed is a copy.
    rmSync(shared, { recursive: true });
    expect((await plain.evaluate("module.m.o")).text).toBe('"deep"');
  });

  test("cannot be installed for a configuration in memory", ({ expect }) => {
    const configuration = objectFiles({ "main.tf": "" });
    expect(() => openWorkspace({ configuration, installModules: true })).toThrow("needs a configuration on disk");
  });
});
