// SPDX-License-Identifier: Apache-2.0
import { fork, type ChildProcess } from "node:child_process";
import { on } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { LaneAnswer, LaneRequest } from "./lane.ts";
import type { Mutation, Verdict } from "./mutation.ts";
import { privateCopy } from "./private-copy.ts";

/** Default time limit of a test in milliseconds; a test that exceeds it counts as hanging. Generous, for busy machines. */
const defaultTimeLimitMs = 180_000;

const defaultTestTimeoutMs = 20_000;

/** Options of {@link runMutations}. */
export interface MutationOptions {
  /** Time limit of a test in milliseconds, after which its process is ended. Default: 180,000. */
  readonly timeLimitMs?: number;
  /** Time limit of a test in milliseconds, after which it fails. Default: 20,000. */
  readonly testTimeoutMs?: number;
  /** Folders that git ignores, which the copies share. */
  readonly links?: readonly string[];
}

/** Request to a lane, without its id. */
type LaneQuestion = { readonly judge: Mutation } | { readonly tryOut: Mutation };

/** A process with its own copy of the packages. */
interface Lane {
  readonly ask: (question: LaneQuestion) => Promise<Verdict>;
  readonly close: () => void;
}

async function openLane(root: string, packages: readonly string[], options: MutationOptions): Promise<Lane> {
  const { timeLimitMs = defaultTimeLimitMs, testTimeoutMs = defaultTestTimeoutMs, links = [] } = options;
  const copy = privateCopy(root, packages, links);
  let child = await startLane(copy.folder, timeLimitMs, testTimeoutMs);
  let lastId = 0;
  const ask = async (question: LaneQuestion): Promise<Verdict> => {
    const id = ++lastId;
    child.send({ id, ...question } satisfies LaneRequest);
    const verdict = await answer(child, id, timeLimitMs);
    if (verdict !== undefined) return verdict;
    child.kill("SIGKILL");
    child = await startLane(copy.folder, timeLimitMs, testTimeoutMs);
    return { kind: "unusable", why: `its test takes longer than ${timeLimitMs / 1000} s` };
  };
  return { ask, close: () => (child.kill("SIGKILL"), copy.remove()) };
}

async function startLane(folder: string, timeLimitMs: number, testTimeoutMs: number): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "lane.ts"), [folder, String(testTimeoutMs)], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  if ((await answer(child, 0, timeLimitMs)) === undefined) throw new Error(`a lane did not start within ${timeLimitMs / 1000} s`);
  return child;
}

/** Waits for the lane's response to a request; undefined after the time limit. */
async function answer(child: ChildProcess, id: number, timeLimitMs: number): Promise<Verdict | undefined> {
  try {
    for await (const [message] of on(child, "message", { signal: AbortSignal.timeout(timeLimitMs), close: ["exit"] })) {
      const { id: answered, verdict } = message as LaneAnswer;
      if (answered === id) return verdict;
    }
  } catch {
    // The time limit has passed.
  }
  return undefined;
}

/**
 * Applies the mutations one at a time, each in a copy, and returns the verdicts. Calls `onVerdict` with each verdict. Each test runs
 * without the mutation first, because a test that always fails cannot detect a mutation.
 */
export async function runMutations(
  root: string,
  packages: readonly string[],
  mutations: readonly Mutation[],
  onVerdict: (mutation: Mutation, verdict: Verdict) => void,
  options: MutationOptions = {},
): Promise<ReadonlyMap<Mutation, Verdict>> {
  const lanes = await Promise.all(Array.from({ length: Math.min(availableParallelism(), 8) }, () => openLane(root, packages, options)));
  const verdicts = new Map<Mutation, Verdict>();
  const trials = new Map<string, Promise<Verdict>>();
  // Sorted by test file, so that a lane runs a file that it has loaded already.
  const queue = mutations.toSorted((a, b) => (a.test < b.test ? -1 : a.test > b.test ? 1 : 0));
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        for (let mutation = queue.shift(); mutation !== undefined; mutation = queue.shift()) {
          const key = `${mutation.test} ${mutation.name}`;
          let trial = trials.get(key);
          if (trial === undefined) trials.set(key, (trial = lane.ask({ tryOut: mutation })));
          const trialVerdict = await trial;
          const verdict = trialVerdict.kind === "unusable" ? trialVerdict : await lane.ask({ judge: mutation });
          verdicts.set(mutation, verdict);
          onVerdict(mutation, verdict);
        }
      }),
    );
  } finally {
    for (const lane of lanes) lane.close();
  }
  return verdicts;
}
