// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { pairs, type Pair } from "./hcldec-pairs.ts";

/** As `tenon-hcldec` of the package runs in the repository. */
const ours = join(import.meta.dirname, "../../../packages/hcl/src/hcldec/main.ts");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon hcldec "));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Our command as an executable file, which is what the runner of the suite takes. */
function executable(name: string, ...options: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${ours}" ${options.join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

describePeer(["hclspecsuite"], "the published HCL specification suite", ({ hclspecsuite }) => {
  const suite = join(dirname(dirname(hclspecsuite.path)), "hclspecsuite");

  test.skipIf(process.platform === "win32")("every case passes against our command", { timeout: 300_000 }, ({ expect }) => {
    const run = spawnSync(hclspecsuite.path, [suite, executable("ours")], { encoding: "utf8" });
    expect(run.stderr).toBe("");
    expect(run.status).toBe(0);
    const cases = new Set(run.stdout.split("\n").filter((line) => line.startsWith("- ")));
    expect(cases.size).toBe(15);
    expect(cases).toContain("- structure/blocks/single_unclosed");
  });

  test.skipIf(process.platform === "win32")("its runner finds what is wrong with a command", { timeout: 300_000 }, ({ expect }) => {
    const run = spawnSync(hclspecsuite.path, [join(suite, "expressions"), executable("references", "--var-refs")], { encoding: "utf8" });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("Failed to parse hcldec result");
  });
});

interface Difference {
  readonly why: string;
  /** What is the same all the same. */
  readonly same: readonly (keyof Answer)[];
  /** What ours says. */
  readonly ours: RegExp;
}

/** Where the two differ on purpose, or because the other cannot do what its documentation says. */
const differences: Readonly<Record<string, Difference>> = {
  "a diagnostics format that there is not": { why: "in its own words", same: ["exitCode", "stdout"], ours: /only "json" is supported/ },
  "an option that there is not": { why: "in its own words", same: ["exitCode", "stdout"], ours: /Unknown option '--nothing'.*\nusage: / },
  "a type that there is not": {
    why: "in the words of type expressions",
    same: ["exitCode", "stdout"],
    ours: /"The keyword \\"strng\\" is not a/,
  },
  "the attributes of a block": { why: "block_attrs is documented, but not accepted there", same: [], ours: /^\{"b":"1"\}\n$/ },
  "an error as text": {
    why: "marks the place without colours too",
    same: ["exitCode", "stdout"],
    ours: /2: how_many = 1 \+ upper\("b"\)\n {21}\^{10}\n/,
  },
  "a default of one spec": { why: "a panic there, a warning here", same: [], ours: /^1\n$/ },
  "a block without a type": { why: "takes no block for one there", same: [], ours: /Missing block_type in block spec/ },
};

interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly out?: string;
}

/** Without what this machine says to programs about colours. */
const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1" };
delete env["FORCE_COLOR"];

function answerOf(program: readonly [string, ...string[]], { spec, input, args = ["input.hcl"] }: Pair, name: string): Promise<Answer> {
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
    // Who reads files does not wait for it.
    child.stdin!.on("error", () => {});
    child.stdin!.end("a = <<E\n  b\n  E\n");
  });
}

/** The Go library goes through the parts of an object at random: the diagnostics about them are the same, in some order. */
function inAnyOrder(answer: Answer): Answer & { readonly lines: readonly string[] } {
  const lines = answer.stderr.split("\n").map((line) => line.replace(/,$/, ""));
  return { ...answer, stderr: "", lines: lines.sort() };
}

describePeer(["hcldec"], "beside HCL's own hcldec", ({ hcldec }) => {
  describe.concurrent("each pair of a spec and an input", () => {
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

  test("every difference that is named has its pair", ({ expect }) => {
    expect(pairs.map(({ what }) => what)).toEqual(expect.arrayContaining(Object.keys(differences)));
  });
});
