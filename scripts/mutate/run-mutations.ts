// SPDX-License-Identifier: Apache-2.0
import { fork, type ChildProcess } from "node:child_process";
import { on } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { LaneAnswer, LaneRequest } from "./lane.ts";
import type { Mutation, Verdict } from "./mutation.ts";
import { privateCopy } from "./private-copy.ts";

/** How long a test may take before it counts as hanging, in milliseconds; machines are busy. */
const patience = 180_000;

/** What is asked of a lane. */
type Question = { readonly judge: Mutation } | { readonly tryOut: Mutation };

/** A process with a copy of its own. */
interface Lane {
  readonly ask: (question: Question) => Promise<Verdict>;
  readonly close: () => void;
}

async function openLane(root: string, packages: readonly string[]): Promise<Lane> {
  const copy = privateCopy(root, packages);
  let child = await started(copy.folder);
  let asked = 0;
  const ask = async (question: Question): Promise<Verdict> => {
    const id = ++asked;
    child.send({ id, ...question } satisfies LaneRequest);
    const verdict = await answer(child, id);
    if (verdict !== undefined) return verdict;
    child.kill("SIGKILL");
    child = await started(copy.folder);
    return { kind: "unusable", why: `its test takes longer than ${patience / 1000} s` };
  };
  return { ask, close: () => (child.kill("SIGKILL"), copy.remove()) };
}

async function started(folder: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "lane.ts"), [folder], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  if ((await answer(child, 0)) === undefined) throw new Error(`a lane does not start within ${patience / 1000} s`);
  return child;
}

/** What the lane answers to a question; undefined where it says nothing in time. */
async function answer(child: ChildProcess, id: number): Promise<Verdict | undefined> {
  try {
    for await (const [message] of on(child, "message", { signal: AbortSignal.timeout(patience), close: ["exit"] })) {
      const { id: answered, verdict } = message as LaneAnswer;
      if (answered === id) return verdict;
    }
  } catch {
    // It has taken too long.
  }
  return undefined;
}

/**
 * Breaks one thing after the other, each in a copy, and answers whether the test noticed. `tell` is called as they are judged. Tests
 * are tried out first: one that fails anyway proves nothing.
 */
export async function runMutations(
  root: string,
  packages: readonly string[],
  mutations: readonly Mutation[],
  tell: (mutation: Mutation, verdict: Verdict) => void,
): Promise<ReadonlyMap<Mutation, Verdict>> {
  const lanes = await Promise.all(Array.from({ length: Math.min(availableParallelism(), 8) }, () => openLane(root, packages)));
  const verdicts = new Map<Mutation, Verdict>();
  const tried = new Map<string, Promise<Verdict>>();
  // Those of one test file follow each other, so that a lane has it loaded.
  const queue = mutations.toSorted((a, b) => (a.test < b.test ? -1 : a.test > b.test ? 1 : 0));
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        for (let mutation = queue.shift(); mutation !== undefined; mutation = queue.shift()) {
          const key = `${mutation.test} ${mutation.name}`;
          let trial = tried.get(key);
          if (trial === undefined) tried.set(key, (trial = lane.ask({ tryOut: mutation })));
          const sound = await trial;
          const verdict = sound.kind === "unusable" ? sound : await lane.ask({ judge: mutation });
          verdicts.set(mutation, verdict);
          tell(mutation, verdict);
        }
      }),
    );
  } finally {
    for (const lane of lanes) lane.close();
  }
  return verdicts;
}
