// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "tenon-"));
  mkdirSync(join(project, "src"));
  writeFileSync(join(project, "src", "main.ts"), "export {};\n");
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function run(...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], { cwd: project, encoding: "utf8" });
}

describe.skipIf(process.platform === "win32")("tenon-package-provider", () => {
  test("takes name, version and place from package.json, and says what it wrote", ({ expect }) => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "@acme/terraform-provider-notes", version: "0.3.1" }));
    const { status, stdout, stderr } = run("src/main.ts", "--zip");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const written = stdout.trimEnd().split("\n");
    expect(written).toContain(join(project, "dist-provider", "dev"));
    expect(written.some((path) => /release\/terraform-provider-notes_0\.3\.1_\w+\.zip$/.test(path))).toBe(true);
    for (const path of written) expect(existsSync(path), path).toBe(true);
  });

  test("takes what it is told before that", ({ expect }) => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "terraform-provider-notes", version: "0.3.1" }));
    const out = join(project, "elsewhere");
    const { status } = run("src/main.ts", "--address", "example.com/acme/other", "--version", "v2.0.0-rc1", "--out", out, "--mirror");
    expect(status).toBe(0);
    expect(existsSync(join(out, "dev", "terraform-provider-other"))).toBe(true);
    expect(existsSync(join(out, "mirror", "example.com", "acme", "other", "2.0.0-rc1"))).toBe(true);
  });

  test.for([
    [[], "name one file, the one that calls serve()"],
    [["src/main.ts", "src/other.ts"], "name one file"],
    [["src/absent.ts"], "there is no file src/absent.ts"],
    [["src/main.ts", "--version", "1.0.0"], "give --name"],
    [["src/main.ts", "--name", "notes"], "give --version"],
    [["src/main.ts", "--nmae", "notes"], "Unknown option '--nmae'"],
  ] as const)("refuses %j in a sentence", ([args, why], { expect }) => {
    writeFileSync(join(project, "package.json"), "{}");
    const { status, stdout, stderr } = run(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^tenon-package-provider: /);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain("    at ");
  });

  test("tells its options", ({ expect }) => {
    const { status, stdout } = run("--help");
    expect(status).toBe(0);
    for (const option of ["--out", "--name", "--version", "--address", "--mirror", "--zip", "--embed-node", "--portable"])
      expect(stdout).toContain(option);
  });
});
