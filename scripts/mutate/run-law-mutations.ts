// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Mutation, Verdict } from "./mutation.ts";
import { privateCopy } from "./private-copy.ts";

/** Time limit of a run in milliseconds; a run that exceeds it counts as hanging. Generous, for busy machines. */
const timeLimitMs = 900_000;

/**
 * Applies mutations one at a time, each in a copy of the packages, and runs a program there in a process of its own: it exits with 0 if it finds no
 * fault, and prints the fault and exits with 1 otherwise. A run without output has failed. Calls `onVerdict` with each verdict. The program runs without a mutation first, and must
 * find nothing.
 *
 * @param program - path of the program from the root of the repository
 */
export async function runLawMutations(
  root: string,
  packages: readonly string[],
  program: string,
  mutations: readonly Mutation[],
  onVerdict: (mutation: Mutation, verdict: Verdict) => void,
): Promise<ReadonlyMap<Mutation, Verdict>> {
  const copies = Array.from({ length: Math.min(availableParallelism(), 8, mutations.length) }, () => privateCopy(root, packages));
  const verdicts = new Map<Mutation, Verdict>();
  const queue = [...mutations];
  try {
    const unchanged = await run(copies[0]!.folder, program);
    if (unchanged.kind !== "survived") throw new Error(`${program} fails without a mutation: ${JSON.stringify(unchanged)}`);
    await Promise.all(
      copies.map(async ({ folder }) => {
        for (let mutation = queue.shift(); mutation !== undefined; mutation = queue.shift()) {
          const verdict = await judge(folder, program, mutation);
          verdicts.set(mutation, verdict);
          onVerdict(mutation, verdict);
        }
      }),
    );
  } finally {
    for (const copy of copies) copy.remove();
  }
  return verdicts;
}

async function judge(folder: string, program: string, { file, search, replace }: Mutation): Promise<Verdict> {
  const path = join(folder, file);
  const source = readFileSync(path, "utf8");
  const parts = source.split(search);
  if (parts.length !== 2) return { kind: "unusable", why: `the text to replace occurs ${parts.length - 1} times` };
  writeFileSync(path, parts.join(replace));
  try {
    return await run(folder, program);
  } finally {
    writeFileSync(path, source);
  }
}

async function run(folder: string, program: string): Promise<Verdict> {
  const child = spawn(process.execPath, [join(folder, program)], { cwd: folder, timeout: timeLimitMs, killSignal: "SIGKILL" });
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  if (code === 0) return { kind: "survived" };
  if (code === 1 && output !== "") return { kind: "killed", messages: [output] };
  return {
    kind: "unusable",
    why: code === null ? `it takes longer than ${timeLimitMs / 1000} s` : errors.split("\n").slice(0, 3).join(" "),
  };
}
