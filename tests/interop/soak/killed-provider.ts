// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LaunchedProvider, launchProvider } from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import { planChange, type ResourceType, resourceType } from "@tenon/schema/lifecycle";
import { configuration } from "../go-provider.ts";

/** Results of the calls of killed providers. */
export interface KillReport {
  readonly kills: number;
  readonly calls: number;
  /** Number of calls that were answered. */
  readonly answered: number;
  /** Number of calls that ended with the error `UNAVAILABLE`. */
  readonly refused: number;
  /** All other results; empty in a correct run. */
  readonly wrong: readonly string[];
  /** The longest time from the kill to the end of the last call, in milliseconds. */
  readonly slowestMs: number;
  /** Increase of the number of open files during the run. */
  readonly descriptors: number;
  /** Number of socket folders that were not removed. */
  readonly socketFolders: number;
}

/** Time limit of a call after the kill in milliseconds. Generous, for busy machines. */
const callTimeoutMs = 10_000;

/**
 * Starts and kills a provider `kills` times, each time after a random delay, while ten lanes make one call after another.
 *
 * @param random Returns a number between 0 and 1.
 */
export async function killRepeatedly(command: string, kills: number, random: () => number): Promise<KillReport> {
  const temporary = mkdtempSync(join(tmpdir(), "kills-"));
  const previous = process.env["TMPDIR"];
  process.env["TMPDIR"] = temporary;
  const wrong: string[] = [];
  let [calls, answered, refused, slowestMs] = [0, 0, 0, 0];
  try {
    // The first run opens the files that stay open for the life of the process.
    await killOnce(command, 0);
    const before = openFiles();
    for (let kill = 0; kill < kills; kill++) {
      const seen = await killOnce(command, random() * 40);
      calls += seen.outcomes.length;
      answered += seen.outcomes.filter((outcome) => outcome === "answered").length;
      refused += seen.outcomes.filter((outcome) => outcome === "refused").length;
      wrong.push(...seen.outcomes.filter((outcome) => outcome !== "answered" && outcome !== "refused"));
      slowestMs = Math.max(slowestMs, seen.tookMs);
    }
    const descriptors = openFiles() - before;
    return { kills, calls, answered, refused, wrong, slowestMs, descriptors, socketFolders: readdirSync(temporary).length };
  } finally {
    if (previous === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = previous;
    rmSync(temporary, { recursive: true, force: true });
  }
}

interface Killed {
  readonly outcomes: readonly string[];
  readonly tookMs: number;
}

async function killOnce(command: string, afterMs: number): Promise<Killed> {
  const provider = await launchProvider({ command: [command, "-measured"], env: { TF_LOG_SDK: "off" } });
  const type = await resourceType(provider, "bench_note");
  const outcomes: string[] = [];
  const over = new AbortController();
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted) outcomes.push(await outcomeOf(callOf(type, outcomes.length)));
  };
  const lanes = Array.from({ length: 10 }, lane);
  await sleep(afterMs);
  const killedAt = performance.now();
  process.kill(provider.pid, "SIGKILL");
  const gone = provider.exited.then(() => over.abort());
  const isInTime = await Promise.race([Promise.all([gone, ...lanes]).then(() => true), sleep(callTimeoutMs, false, { ref: false })]);
  if (!isInTime) outcomes.push(`a call was still under way ${callTimeoutMs} ms after the kill`);
  const tookMs = performance.now() - killedAt;
  const late = await outcomeOf(provider.getProviderSchema({}));
  if (late !== "refused") outcomes.push(`a call after the provider exited: ${late}`);
  await provider.close();
  if (isRunning(provider)) outcomes.push(`the process ${provider.pid} is still running`);
  return { outcomes, tookMs };
}

/** Makes a call that a core makes while it plans: a plan, or a request for the schema. */
async function callOf(type: ResourceType, number: number): Promise<unknown> {
  if (number % 3 === 0) return await type.provider.getProviderSchema({});
  const config = configuration(type.schema, { title: `note ${number}` });
  return await planChange(type, { config });
}

async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "answered";
  } catch (error) {
    if (error instanceof ProviderError && error.code === "UNAVAILABLE") return "refused";
    return String(error);
  }
}

function isRunning({ pid }: LaunchedProvider): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function openFiles(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
