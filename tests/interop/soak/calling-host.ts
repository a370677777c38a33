// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parseArgs } from "node:util";
import { launchProvider } from "@tenon/plugin-host";
import { planChange, resourceType } from "@tenon/schema/lifecycle";
import { configuration } from "../go-provider.ts";

/** What is resident in a host, after all garbage is collected. */
export interface HostMemory {
  readonly calls: number;
  readonly residentMiB: number;
  readonly heapMiB: number;
}

/**
 * A fresh process calls a provider so many times, ten at a time, and says what it holds after each 10,000.
 *
 * Three things grow for a while, garbage or not, and then stay as they are: V8's young generation, by up to 64 MiB; the arenas that the
 * C library makes for each thread of Node; and the pages that V8 pools when it has compiled something large, 15 MiB in a step. The first
 * two are bounded here, and a collection of the last resort gives the third back, so that growth means that something is held.
 */
export async function hostMemory(command: string, calls: number, signal?: AbortSignal): Promise<readonly HostMemory[]> {
  const run = promisify(execFile);
  const { stdout } = await run(
    process.execPath,
    ["--expose-gc", "--max-semi-space-size=1", import.meta.filename, command, "--calls", String(calls)],
    {
      maxBuffer: 2 ** 24,
      ...(signal ? { signal } : {}),
      env: { ...process.env, MALLOC_ARENA_MAX: "1" },
    },
  );
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as HostMemory);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ options: { calls: { type: "string", default: "20000" } }, allowPositionals: true });
  const calls = Number(values.calls);
  // A Go framework provider keeps something of every call until it is stopped: it gets a rest now and then.
  const perProcess = 50_000;
  const warmUp = 10_000;
  let done = 0;
  while (done < calls) {
    await using provider = await launchProvider({ command: [positionals[0]!, "-measured"], env: { TF_LOG_SDK: "off" } });
    const type = await resourceType(provider, "bench_note");
    const lane = async (times: number): Promise<void> => {
      for (let call = 0; call < times; call++) await planChange(type, { config: configuration(type.schema, { title: `note ${call}` }) });
    };
    for (let inProcess = 0; inProcess < perProcess && done < calls; inProcess += warmUp) {
      await Promise.all(Array.from({ length: 10 }, () => lane(warmUp / 20)));
      // A plan is two calls: the configuration is validated, and then planned.
      done += warmUp;
      await report(done);
    }
  }
}

async function report(calls: number): Promise<void> {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { rss, heapUsed } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ calls, residentMiB: rss / 2 ** 20, heapMiB: heapUsed / 2 ** 20 })}\n`);
}
