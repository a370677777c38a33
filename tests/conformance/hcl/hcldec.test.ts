// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { pairs, type Pair } from "./hcldec-pairs.ts";

/** Source of the command `tenon-hcldec`. */
const ours = join(import.meta.dirname, "../../../packages/hcl/src/hcldec/main.ts");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon hcldec "));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes our command as an executable file, which the runner of the suite needs, and returns its path. */
function executable(name: string, ...options: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${ours}" ${options.join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

describePeer(["hclspecsuite"], "the published HCL specification suite", ({ hclspecsuite }) => {
  const suite = join(dirname(dirname(hclspecsuite.path)), "hclspecsuite");

  test.skipIf(process.platform === "win32")("passes every case with our command", { timeout: 300_000 }, ({ expect }) => {
    const run = spawnSync(hclspecsuite.path, [suite, executable("ours")], { encoding: "utf8" });
    expect(run.stderr).toBe("");
    expect(run.status).toBe(0);
    const cases = new Set(run.stdout.split("\n").filter((line) => line.startsWith("- ")));
    expect(cases.size).toBe(15);
    expect(cases).toContain("- structure/blocks/single_unclosed");
  });

  test.skipIf(process.platform === "win32")("fails with a command that prints other output", { timeout: 300_000 }, ({ expect }) => {
    const run = spawnSync(hclspecsuite.path, [join(suite, "expressions"), executable("references", "--var-refs")], { encoding: "utf8" });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("Failed to parse hcldec result");
  });
});

interface Difference {
  readonly why: string;
  /** Parts of the answer that are equal nevertheless. */
  readonly same: readonly (keyof OracleResult)[];
  /** Expected output of our command. */
  readonly ours: RegExp;
}

/** Pairs for which the commands differ on purpose, or because HCL's hcldec contradicts its documentation. */
const differences: Readonly<Record<string, Difference>> = {
  "an unknown diagnostics format": { why: "our own error text", same: ["exitCode", "stdout"], ours: /only "json" is supported/ },
  "an unknown option": { why: "our own error text", same: ["exitCode", "stdout"], ours: /Unknown option '--nothing'.*\nusage: / },
  "an unknown type": {
    why: "the error text of type expressions",
    same: ["exitCode", "stdout"],
    ours: /"The keyword \\"strng\\" is not a/,
  },
  "the attributes of a block": { why: "HCL's hcldec documents block_attrs but rejects it", same: [], ours: /^\{"b":"1"\}\n$/ },
  "an error as text": {
    why: "ours underlines the expression even without colours",
    same: ["exitCode", "stdout"],
    ours: /2: how_many = 1 \+ upper\("b"\)\n {21}\^{10}\n/,
  },
  "a default of one spec": { why: "HCL's hcldec panics, ours warns", same: [], ours: /^1\n$/ },
  "a block without a type": { why: "HCL's hcldec accepts the missing block_type", same: [], ours: /Missing block_type in block spec/ },
};

interface OracleResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly out?: string;
}

/** Environment that disables colours. */
const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1" };
delete env["FORCE_COLOR"];

function answerOf(
  program: readonly [string, ...string[]],
  { spec, input, args = ["input.hcl"] }: Pair,
  name: string,
): Promise<OracleResult> {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "spec.hcldec"), spec);
  for (const [file, text] of Object.entries(typeof input === "string" ? { "input.hcl": input } : input))
    writeFileSync(join(cwd, file), text);
  const diagnostics = args.some((arg) => arg.startsWith("--diags")) ? [] : ["--diags=json"];
  const [path, ...before] = program;
  return new Promise((resolve) => {
    const child = execFile(path, [...before, "--spec=spec.hcldec", ...diagnostics, ...args], { cwd, env }, (error, stdout, stderr) => {
      const out = join(cwd, "out.json");
      resolve({
        exitCode: error === null ? 0 : Number(error.code),
        stdout,
        stderr,
        ...(existsSync(out) ? { out: readFileSync(out, "utf8") } : {}),
      });
    });
    // A command that reads files may exit before it reads standard input.
    child.stdin!.on("error", () => {});
    child.stdin!.end("a = <<E\n  b\n  E\n");
  });
}

/** Sorts the diagnostics: the Go library visits the attributes of an object in random order. */
function inAnyOrder(answer: OracleResult): OracleResult & { readonly lines: readonly string[] } {
  const lines = answer.stderr.split("\n").map((line) => line.replace(/,$/, ""));
  return { ...answer, stderr: "", lines: lines.sort() };
}

describePeer(["hcldec"], "tenon-hcldec", ({ hcldec }) => {
  describe.concurrent("gives the result of HCL's hcldec for", () => {
    test.for(pairs.map((pair, index) => ({ ...pair, index })))("$what", { timeout: 120_000 }, async (pair, { expect }) => {
      const [our, their] = await Promise.all([
        answerOf([process.execPath, ours], pair, `ours ${pair.index}`),
        answerOf([hcldec.path], pair, `theirs ${pair.index}`),
      ]);
      const difference = differences[pair.what];
      if (difference === undefined) {
        expect(inAnyOrder(our)).toEqual(inAnyOrder(their));
        return;
      }
      expect(our.stdout + our.stderr).toMatch(difference.ours);
      expect(our).not.toEqual(their);
      for (const part of difference.same) expect(our[part], part).toBe(their[part]);
    });
  });

  test("every known difference names a pair", ({ expect }) => {
    expect(pairs.map(({ what }) => what)).toEqual(expect.arrayContaining(Object.keys(differences)));
  });
});
