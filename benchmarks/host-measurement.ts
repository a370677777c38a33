// SPDX-License-Identifier: Apache-2.0
// Runs a client in its own process: the counterpart of tests/peers/rpc-client with `-measure <file>`.
import { readFileSync } from "node:fs";

/** Task of a client, as defined in tests/peers/rpc-client/measure.go; bytes are base64. */
export interface HostMeasurement {
  readonly typeName: string;
  readonly priorState: string;
  readonly proposedNewState: string;
  readonly config: string;
  readonly plain?: boolean;
  readonly inFlight?: number;
  readonly seconds?: number;
  readonly warmup?: number;
  readonly calls?: number;
}

/** Result of the task, as defined in measure.go. */
export interface HostMeasured {
  readonly firstSchemaMs: number;
  readonly calls: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly residentKiB: number;
  readonly plannedState: string;
}

/** A client with a provider that it has launched. */
export interface Planner {
  /** Milliseconds from launch to the types of the first schema. */
  readonly firstSchemaMs: number;
  /** Makes one call. @throws Error for an unexpected response. */
  plan(): Promise<void>;
  /** Makes one call; returns the planned value in msgpack. */
  planned(): Promise<Uint8Array>;
  end(): Promise<void>;
}

/** Reads the arguments of a client's process. */
export function readMeasurement(): { readonly what: HostMeasurement; readonly provider: string } {
  const [file, provider] = process.argv.slice(2) as [string, string];
  return { what: JSON.parse(readFileSync(file, "utf8")) as HostMeasurement, provider };
}

/** Runs the task with a client and prints the result. */
export async function printMeasured(what: HostMeasurement, planner: Planner): Promise<void> {
  const { inFlight = 1, seconds = 0, warmup = 0, calls: most } = what;
  const plannedState = Buffer.from(await planner.planned()).toString("base64");
  const stretch = async (goesOn: () => boolean): Promise<number> => {
    let calls = 0;
    const worker = async (): Promise<void> => {
      for (; goesOn(); calls++) await planner.plan();
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    return calls;
  };
  await stretch(times(warmup));
  const before = process.cpuUsage();
  const began = performance.now();
  const calls = await stretch(most === undefined ? until(seconds) : times(most));
  const took = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  const measured: HostMeasured = {
    firstSchemaMs: planner.firstSchemaMs,
    calls,
    seconds: took,
    cpuSeconds: (user + system) / 1e6,
    residentKiB: Math.round(process.memoryUsage.rss() / 1024),
    plannedState,
  };
  await planner.end();
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}

function times(calls: number): () => boolean {
  let taken = 0;
  return () => ++taken <= calls;
}

function until(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() < end;
}
