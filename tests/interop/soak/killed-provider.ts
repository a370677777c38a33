// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LaunchedProvider, launchProvider } from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import { planChange, type ResourceType, resourceType } from "@tenon/schema/lifecycle";
import { configuration } from "../go-provider.ts";

/** What became of calls to providers that were killed. */
export interface KillReport {
  readonly kills: number;
  readonly calls: number;
  /** Calls that had their answer before. */
  readonly answered: number;
  /** Calls that ended with the error that says so. */
  readonly refused: number;
  /** Whatever else happened; empty is right. */
  readonly wrong: readonly string[];
  /** The longest time from the kill to the end of the last call, in milliseconds. */
  readonly slowestMs: number;
  /** Files that are open at the end beyond those at the start. */
  readonly descriptors: number;
  /** Folders of sockets that are still there. */
  readonly socketFolders: number;
}

/** Long enough for any machine; a call that hangs takes for ever. */
const patienceMs = 10_000;

/**
 * Kills a provider so many times, each time another process, at a random point of ten calls that are under way one after the other.
 *
 * @param random Between 0 and 1.
 */
export async function killOften(command: string, kills: number, random: () => number): Promise<KillReport> {
  const temporary = mkdtempSync(join(tmpdir(), "kills-"));
  const previous = process.env["TMPDIR"];
  process.env["TMPDIR"] = temporary;
  const wrong: string[] = [];
  let [calls, answered, refused, slowestMs] = [0, 0, 0, 0];
  try {
    // What is opened once for all is not counted.
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
  const isInTime = await Promise.race([Promise.all([gone, ...lanes]).then(() => true), sleep(patienceMs, false, { ref: false })]);
  if (!isInTime) outcomes.push(`a call was still under way ${patienceMs} ms after the kill`);
  const tookMs = performance.now() - killedAt;
  const late = await outcomeOf(provider.getProviderSchema({}));
  if (late !== "refused") outcomes.push(`a call after the end: ${late}`);
  await provider.close();
  if (isRunning(provider)) outcomes.push(`the process ${provider.pid} is still there`);
  return { outcomes, tookMs };
}

/** A plan, or something else that a core asks while it plans. */
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
