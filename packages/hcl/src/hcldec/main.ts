#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "@tenon/cty";
import { readFileSync, writeFileSync } from "node:fs";
import { run } from "./command.ts";
import { HclError } from "../error.ts";
import { CommandError, readCommandLine, usage } from "./command-line.ts";

const program = "tenon-hcldec";

try {
  const commandLine = readCommandLine(process.argv.slice(2));
  if (commandLine.help) console.log(usage);
  else if (commandLine.version) console.log(ownVersion());
  else {
    const outcome = run(commandLine, { stdin: () => readFileSync(0), stderr: process.stderr, columns: process.stdout.columns ?? 80 });
    process.stderr.write(outcome.diagnostics);
    if (outcome.result !== undefined) write(commandLine.out, outcome.result);
    process.exitCode = outcome.exitCode;
  }
} catch (error) {
  // Errors that the caller can fix are one sentence; anything else is a bug, and shows its stack.
  if (error instanceof CommandError) {
    console.error(`${program}: ${error.message}`);
    process.exitCode = error.exitCode;
  } else {
    console.error(error instanceof CtyError || error instanceof HclError ? `${program}: ${error.message}` : error);
    process.exitCode = 1;
  }
}

function write(out: string | undefined, text: string): void {
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(out, text);
  } catch (cause) {
    throw new CommandError(`cannot write ${out}: ${(cause as Error).message}`, 1, { cause });
  }
}

function ownVersion(): string {
  const description = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { readonly version: string };
  return description.version;
}
