// SPDX-License-Identifier: Apache-2.0
// Calls a packaged provider many times and measures its memory: from call 10,000 to the end it must grow by less than 10 %.
//
//   npm run soak -- provider [--calls 200000]
import { parseArgs } from "node:util";
import { soakProvider } from "./soaked-provider.ts";

/** Number of calls after which all code is compiled and all caches have their full size. */
const warmUp = 10_000;

const { values } = parseArgs({ options: { calls: { type: "string", default: "200000" } } });
const calls = Number(values.calls);
if (!(calls > warmUp)) throw new RangeError(`--calls takes a number above ${warmUp}`);

const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
await using soaked = await soakProvider();
let first: number | undefined;
let last = 0;
for (let done = 0; done < calls;) {
  const stretch = Math.min(warmUp, calls - done);
  await soaked.call(stretch);
  done += stretch;
  const { rss, heapUsed } = await soaked.memory();
  first ??= rss;
  last = rss;
  console.log(`${done} calls: resident ${mib(rss)}, heap ${mib(heapUsed)}`);
}
const abandoned = await soaked.abandoned();
const growth = last / first! - 1;
console.log(`grew by ${(growth * 100).toFixed(1)} %; ${abandoned} cancelled calls are still running`);
if (growth >= 0.1 || abandoned > 0) process.exitCode = 1;
