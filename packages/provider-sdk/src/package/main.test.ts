// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "tenon-"));
  mkdirSync(join(project, "src"));
  writeFileSync(join(project, "src", "main.ts"), "console.log('{\"protocols\":[5,6]}');\n");
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function run(...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], { cwd: project, encoding: "utf8" });
}

describe.skipIf(process.platform === "win32")("tenon-package-provider", () => {
  test("takes name, version and output folder from package.json, and lists the written files", ({ expect }) => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "@acme/terraform-provider-notes", version: "0.3.1" }));
    const { status, stdout, stderr } = run("src/main.ts", "--zip");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const written = stdout.trimEnd().split("\n");
    expect(written).toContain(join(project, "dist-provider", "dev"));
    expect(written.some((path) => /release\/terraform-provider-notes_0\.3\.1_\w+\.zip$/.test(path))).toBe(true);
    for (const path of written) expect(existsSync(path), path).toBe(true);
  });

  test("packages source maps unless --no-source-maps is passed", ({ expect }) => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "terraform-provider-notes", version: "0.3.1" }));
    const map = join(project, "dist-provider", "dev", "provider.mjs.map");
    run("src/main.ts");
    expect((JSON.parse(readFileSync(map, "utf8")) as { readonly sources: readonly string[] }).sources).toEqual(["../../src/main.ts"]);
    expect(run("src/main.ts", "--no-source-maps").status).toBe(0);
    expect(existsSync(map)).toBe(false);
  });

  test("prefers the options of the command line", ({ expect }) => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "terraform-provider-notes", version: "0.3.1" }));
    const out = join(project, "elsewhere");
    const { status } = run("src/main.ts", "--address", "example.com/acme/other", "--version", "v2.0.0-rc1", "--out", out, "--mirror");
    expect(status).toBe(0);
    expect(existsSync(join(out, "dev", "terraform-provider-other"))).toBe(true);
    expect(existsSync(join(out, "mirror", "example.com", "acme", "other", "2.0.0-rc1"))).toBe(true);
  });

  test.for([
    [[], "pass one file, the one that calls serve()"],
    [["src/main.ts", "src/other.ts"], "pass one file"],
    [["src/absent.ts"], "there is no file src/absent.ts"],
    [["src/main.ts", "--version", "1.0.0"], "pass --name"],
    [["src/main.ts", "--name", "notes"], "pass --version"],
    [["src/main.ts", "--nmae", "notes"], "Unknown option '--nmae'"],
  ] as const)("rejects %j with a message and no stack", ([args, why], { expect }) => {
    writeFileSync(join(project, "package.json"), "{}");
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^tenon-package-provider: /);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain("    at ");
  });

  test("rejects a Node that is too old before it loads anything that this Node may lack", ({ expect }) => {
    const preload = join(project, "old-node.cjs");
    const lines = [
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.9.0" } });`,
      "// Its zlib has no crc32, which the archive needs.",
      `delete require("node:zlib").crc32;`,
      `require("node:module").syncBuiltinESMExports();`,
      `require("node:module").registerHooks({ load: (url, context, next) => (process._rawDebug("loaded " + url), next(url, context)) });`,
    ];
    writeFileSync(preload, lines.join("\n"));
    const command = ["--require", preload, join(import.meta.dirname, "main.ts"), "src/main.ts", "--name", "notes", "--version", "1.0.0"];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: project, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain(`tenon-package-provider: packaging needs Node 22.19 or newer; ${process.execPath} is Node 20.9.0\n`);
    const loaded = [...stderr.matchAll(/^loaded file:.*\/(.*)$/gm)].map(([, name]) => name);
    expect(loaded).toEqual(["main.ts", "error.ts", "launcher.ts"]);
  });

  test("prints its options", ({ expect }) => {
    const { status, stdout } = run("--help");
    expect(status).toBe(0);
    for (const option of [
      "--out",
      "--name",
      "--version",
      "--address",
      "--mirror",
      "--zip",
      "--embed-node",
      "--portable",
      "--no-source-maps",
    ])
      expect(stdout).toContain(option);
  });
});
