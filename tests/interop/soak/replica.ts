// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LeaseTimes } from "@tenon/bridge/kubernetes/machinery";

/** Settings of a replica's process. */
export interface ReplicaSettings {
  /** Name of the replica. */
  readonly member: string;
  readonly kubeconfig: string;
  /** Whether the provider is that of `killed-notes.ts`, with all its resource types. Default: the notes of the example. */
  readonly hasAllNotes?: boolean;
  /** API group of the notes. */
  readonly group: string;
  /** SQLite file of the notebook. */
  readonly database: string;
  /** File that the provider logs its calls to. Default: none. */
  readonly calls?: string;
  /** File whose existence makes changes wait, after they have been logged. Default: none. */
  readonly gate?: string;
  /** File for the replica's memory usage, for {@link Replica.memory}. Default: none. */
  readonly memoryFile?: string;
  readonly latencyMs?: number;
  /** Difference of the replica's clock from the right time. */
  readonly skewMs?: number;
  readonly shards?: number;
  readonly pollMs?: number;
  readonly leaseTimes?: LeaseTimes;
  /** Path of a provider that the replica launches. Default: the provider runs in the process of the replica. */
  readonly provider?: string;
  /** Module of the replica's program, bundled. Default: its source. */
  readonly program?: string;
}

/** A call that changes a note. */
export type ChangeName = "create" | "update" | "delete";

/** A line of the provider's log. */
export interface ProviderCall {
  readonly member: string;
  /** Number of the note. */
  readonly note: string;
  readonly call: "read" | ChangeName;
  readonly step: "begin" | "end";
  /** Whether the call was broken off, so that its outcome is not known. */
  readonly isBroken?: boolean;
  /** Nanoseconds of a clock that all processes of the machine share. */
  readonly at: string;
}

/** Memory of a replica after a full garbage collection, in MiB. */
export interface ReplicaMemory {
  /** Objects that are reachable, inside and outside of V8's heap. */
  readonly live: number;
  readonly resident: number;
}

/** A replica of the operator for notes, in a process of its own. */
export class Replica implements AsyncDisposable {
  readonly member: string;
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #memoryFile: string | undefined;
  healthPort = 0;

  private constructor(settings: ReplicaSettings) {
    this.member = settings.member;
    const { program = join(import.meta.dirname, "replica-program.ts"), ...others } = settings;
    this.#memoryFile = settings.memoryFile;
    const preloaded = settings.memoryFile === undefined ? [] : ["--require", join(import.meta.dirname, "collect.cjs")];
    const args = [...preloaded, program, JSON.stringify(others)];
    const cache = settings.program === undefined ? {} : { NODE_COMPILE_CACHE: dirname(program) };
    const env = { ...process.env, ...cache, TENON_MEMORY_FILE: settings.memoryFile };
    this.#process = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    this.#closed = once(this.#process, "close");
  }

  /** Starts a replica, and waits until it is ready. */
  static async start(settings: ReplicaSettings): Promise<Replica> {
    const replica = new Replica(settings);
    const line = once(replica.#process.stdout!, "data").then(([data]: unknown[]) => String(data));
    const first = await Promise.race([line, replica.#closed.then(() => undefined)]);
    if (first === undefined) throw new Error(`the replica ${settings.member} ended before it was ready`);
    replica.healthPort = (JSON.parse(first) as { healthPort: number }).healthPort;
    return replica;
  }

  get pid(): number {
    return this.#process.pid!;
  }

  /** Lets the replica collect its garbage, and measures its memory. Not on Windows. */
  async memory(): Promise<ReplicaMemory> {
    const file = this.#memoryFile!;
    rmSync(file, { force: true });
    this.signal("SIGUSR2");
    while (!existsSync(file)) await sleep(10);
    const { rss, heapUsed, external } = JSON.parse(readFileSync(file, "utf8")) as NodeJS.MemoryUsage;
    return { live: (heapUsed + external) / 2 ** 20, resident: rss / 2 ** 20 };
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Ends the process, by SIGKILL unless another signal is given. */
  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#process.kill(signal);
    await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await this.end();
  }
}

/** Reads the log of a provider. */
export function providerCalls(path: string): readonly ProviderCall[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ProviderCall);
}

/** Returns the notes on which two replicas worked at once, by the log of the provider. */
export function overlappingWork(calls: readonly ProviderCall[]): readonly string[] {
  const faults: string[] = [];
  const active = new Map<string, ProviderCall>();
  for (const call of calls.toSorted((a, b) => (BigInt(a.at) < BigInt(b.at) ? -1 : 1))) {
    const other = active.get(call.note);
    if (call.step === "end") {
      if (other?.member === call.member) active.delete(call.note);
    } else {
      if (other && other.member !== call.member) faults.push(`${call.member} and ${other.member} work on note ${call.note} at once`);
      active.set(call.note, call);
    }
  }
  return faults;
}
