// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parseArgs } from "node:util";
import { launchProvider } from "@tenon/plugin-host";
import { planChange, resourceType } from "@tenon/schema/lifecycle";
import { configuration } from "../go-provider.ts";

/** Memory of a host after garbage collection. */
export interface HostMemory {
  readonly calls: number;
  readonly residentMiB: number;
  readonly heapMiB: number;
}

/**
 * Starts a process that makes `calls` calls of a provider, ten at a time, and measures the memory of that process after each 10,000.
 *
 * Three kinds of memory grow at first without a leak: V8's young generation, by up to 64 MiB; the C library's arenas for the threads of
 * Node; and the pages that V8 pools after compiling large code, 15 MiB at a time. The options of the process limit the first two, and a
 * last-resort collection releases the third, so that further growth is a leak.
 */
export async function measureHostMemory(command: string, calls: number, signal?: AbortSignal): Promise<readonly HostMemory[]> {
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
  // A provider on Go's framework leaks memory with every call, so it is restarted regularly.
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
      // A plan makes two calls: it validates the configuration, and plans it.
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
