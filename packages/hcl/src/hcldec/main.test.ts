// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { indentedJson } from "./json-text.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-"));
  writeFileSync(join(folder, "server.hcldec"), 'object {\n  attr "port" {\n    type = number\n  }\n}\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(
  input: string,
  ...args: readonly string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const all = [join(import.meta.dirname, "main.ts"), ...args];
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1" };
  delete env["FORCE_COLOR"];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8", env, input });
  return { status, stdout, stderr };
}

describe("tenon-hcldec", () => {
  test("decodes standard input by a spec file", ({ expect }) => {
    expect(run('port = "80"\n', "-s", "server.hcldec")).toEqual({ status: 0, stdout: '{"port":80}\n', stderr: "" });
  });

  test("reports errors of the input with their ranges", ({ expect }) => {
    const { status, stdout, stderr } = run("prot = 80\n", "--spec=server.hcldec");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("Error: Unsupported argument\n\n  on <stdin> line 1:\n   1: prot = 80\n");
    expect(stderr).toContain('Did you mean "port"?');
  });

  test.for([
    [[], 1, "the option --spec=… is required"],
    [["--spec=server.hcldec", "--diags=xml"], 2, 'no diagnostics format "xml"'],
    [["--spec=server.hcldec", "--spcc"], 2, "Unknown option '--spcc'"],
    [["--spec=server.hcldec", "--out=absent/out.json"], 1, "cannot write absent/out.json"],
    [["--spec=absent.hcldec"], 2, 'The configuration file "absent.hcldec" could not be read.'],
  ] as const)("reports %j in one sentence", ([args, expected, why], { expect }) => {
    const { status, stdout, stderr } = run("", ...args);
    expect({ status, stdout }).toEqual({ status: expected, stdout: "" });
    expect(stderr).toContain(why);
    expect(stderr).not.toContain("    at ");
  });

  test("prints its options and its version", ({ expect }) => {
    const { status, stdout } = run("", "--help");
    expect(status).toBe(0);
    for (const option of ["--spec", "--vars", "--out", "--diags", "--with-type", "--keep-nulls", "--var-refs", "--version"]) {
      expect(stdout).toContain(option);
    }
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as { readonly version: string };
    expect(run("", "-v").stdout).toBe(`${version}\n`);
  });
});

test("indents JSON as JSON.stringify does", ({ expect }) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const escaped = JSON.stringify(value, undefined, 2).replace(
        /[<>&\u2028\u2029]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      expect(indentedJson(JSON.stringify(value))).toBe(`${escaped}\n`);
    }),
  );
});
