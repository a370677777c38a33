#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The command tenon-sweep.
import { TestingError } from "../error.ts";
import { readCommandLine, reportText, usage } from "./command-line.ts";
import { loadSweepers } from "./load-sweepers.ts";
import { runSweepers } from "./run-sweepers.ts";

try {
  const commandLine = readCommandLine(process.argv.slice(2));
  if (commandLine === undefined) console.log(usage);
  else {
    const interruption = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.once(signal, () => interruption.abort(new Error(`interrupted by ${signal}`)));
    const { files, regions, run, allowFailures, prefix } = commandLine;
    const results = await runSweepers(await loadSweepers(files), {
      regions,
      run,
      allowFailures,
      ...(prefix !== undefined && { prefix }),
      signal: interruption.signal,
      onLog: (region, sweeper, line) => console.error(`${region}  ${sweeper}: ${line}`),
    });
    console.log(reportText(results));
    process.exitCode = results.every(({ status }) => status === "swept") ? 0 : 1;
  }
} catch (error) {
  // Errors that the caller can fix are one sentence; anything else is a bug, and shows its stack.
  console.error(error instanceof TestingError ? `tenon-sweep: ${error.message}` : error);
  process.exitCode = 2;
}
