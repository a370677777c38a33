#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The command tenon-test.
import { EngineError } from "@tenon/engine";
import { TestingError } from "./error.ts";
import { readTestOptions, testUsage } from "./tftest/command/test-options.ts";

try {
  const args = process.argv.slice(2);
  if (args.some((arg) => /^--?h(elp)?$/.test(arg))) process.stdout.write(testUsage);
  else {
    const options = readTestOptions(args);
    const { runTestCommand } = await import("./tftest/command/test-command.ts");
    const [stop, abort] = [new AbortController(), new AbortController()];
    // The first interrupt ends the tests gracefully, the second one at once.
    const interrupt = (): void => (stop.signal.aborted ? abort : stop).abort();
    process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
    process.exitCode = await runTestCommand(options, {
      write: (stream, text) => void process[stream].write(text),
      width: process.stderr.columns,
      stopSignal: stop.signal,
      signal: abort.signal,
    });
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
} catch (error) {
  // Prints only the message of an error that the caller can fix. Any other error is a bug, and is printed with its stack.
  const isOurs = error instanceof TestingError || error instanceof EngineError || (error as Error).name === "PluginHostError";
  console.error(isOurs ? `tenon-test: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
