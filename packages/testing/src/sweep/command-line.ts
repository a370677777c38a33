// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import { TestingError } from "../error.ts";
import type { SweepResult } from "./run-sweepers.ts";

/** The command line of `tenon-sweep`. */
export interface SweepCommandLine {
  /** Modules that export `sweepers`. */
  readonly files: readonly string[];
  readonly regions: readonly string[];
  readonly run: readonly string[];
  readonly allowFailures: boolean;
  readonly prefix: string | undefined;
}

/** The text of `--help`. */
export const usage: string = `Usage: tenon-sweep --sweep REGION[,REGION…] [options] <file>…

Deletes the real objects that tests have left behind. Each file is a module that exports sweepers: export const sweepers = [{ name, sweep }].

  --sweep REGIONS          the regions to sweep; required, because objects are deleted
  --sweep-run NAMES        runs only the sweepers whose names contain one of these parts, and their dependencies
  --sweep-allow-failures   runs the other sweepers after one has failed
  --prefix TEXT            prefix of the names of tests. Default: tenon-test-
  --help

Exit status: 0 if all sweepers succeeded, 1 if one failed or did not run, 2 if nothing was run.`;

/** Reads the command line. Returns undefined for `--help`. @throws TestingError `OPTIONS_INVALID` */
export function readCommandLine(args: readonly string[]): SweepCommandLine | undefined {
  const { values, positionals } = parsed(args);
  if (values.help === true) return undefined;
  const regions = listOf(values.sweep);
  if (regions.length === 0)
    throw new TestingError("OPTIONS_INVALID", "deletes real objects, and so runs only with --sweep and the regions to sweep; see --help");
  if (positionals.length === 0) throw new TestingError("OPTIONS_INVALID", "names no file with sweepers; see --help");
  const run = listOf(values["sweep-run"]);
  return { files: positionals, regions, run, allowFailures: values["sweep-allow-failures"] ?? false, prefix: values.prefix };
}

/** The report: a line for each sweeper in each region, and a summary. */
export function reportText(results: readonly SweepResult[]): string {
  const lines = results.map((result) => {
    const { region, sweeper, status } = result;
    const reason = result.status === "failed" ? `: ${result.error instanceof Error ? result.error.message : String(result.error)}` : "";
    return `${status.padEnd(7)}  ${region}  ${sweeper}${reason}`;
  });
  const count = (status: SweepResult["status"]): number => results.filter((result) => result.status === status).length;
  return [...lines, `${count("swept")} swept, ${count("failed")} failed, ${count("not run")} not run`].join("\n");
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        sweep: { type: "string" },
        "sweep-run": { type: "string" },
        "sweep-allow-failures": { type: "boolean" },
        prefix: { type: "string" },
        help: { type: "boolean" },
      },
    });
  } catch (cause) {
    throw new TestingError("OPTIONS_INVALID", `${(cause as Error).message}; see --help`, { cause });
  }
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
