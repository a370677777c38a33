// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { lawNames, type LawName } from "../laws/law.ts";

/** The command line of `tenon-check-provider`. */
export interface CommandLine {
  /** The executable and its arguments, or a source address. */
  readonly provider: readonly string[];
  readonly version: string | undefined;
  /** Type names; empty for all. A `*` at the end stands for any rest. */
  readonly resources: readonly string[];
  /** The configuration of the provider. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Values of attributes, by type name and attribute. */
  readonly values: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
  readonly apply: boolean;
  readonly cases: number;
  readonly seed: number;
  /** Time limit of a call, in milliseconds. */
  readonly timeoutMs: number;
  readonly except: readonly LawName[];
  readonly json: boolean;
  /** Whether warnings make the command fail. */
  readonly strict: boolean;
}

/** An error of the command line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The text of `--help`. */
export const usage: string = `Usage: tenon-check-provider [options] <provider> [arguments of the provider]

Holds the resources of a provider against the rules of the protocol, with generated configurations. It validates and plans; nothing is applied without --apply.

<provider> is an executable with a path (./terraform-provider-time), or a source address (hashicorp/time).

  --resource TYPE      a resource type to check; may be repeated, and end with *. Default: all
  --config FILE        JSON file with the configuration of the provider
  --values FILE        JSON file with values of attributes: { "time_offset": { "offset_days": [1, 2] } }
  --apply              also creates, reads, imports, changes and deletes objects
  --cases N            number of cases for each resource type. Default: 50
  --seed N             the same seed gives the same cases. Default: 1
  --timeout SECONDS    time limit of a call. Default: 60
  --except LAW         a law that is not checked; may be repeated
  --version-constraint V  version of a source address
  --strict             fails for warnings, too
  --json               prints the report as JSON
  --help

Exit status: 0 without violations, 1 with violations, 2 if the check could not run.

Laws: ${lawNames.join(", ")}`;

/** Reads the command line. Returns undefined for `--help`. @throws CommandError */
export function readCommandLine(args: readonly string[]): CommandLine | undefined {
  // Arguments after the provider are its own.
  const own: string[] = [];
  const withValue = new Set(["--resource", "--config", "--values", "--cases", "--seed", "--timeout", "--except", "--version-constraint"]);
  let at = 0;
  while (at < args.length && args[at]!.startsWith("-")) {
    const option = args[at++]!;
    own.push(option);
    if (withValue.has(option) && at < args.length) own.push(args[at++]!);
  }
  const { values } = parsed(own);
  if (values.help) return undefined;
  const provider = args.slice(at);
  if (provider.length === 0) throw new CommandError("names no provider; see --help");
  const except = (values.except ?? []).map((name) => {
    if (!lawNames.includes(name as LawName)) throw new CommandError(`--except ${name} is not a law; see --help`);
    return name as LawName;
  });
  return {
    provider,
    version: values["version-constraint"],
    resources: values.resource ?? [],
    config: values.config === undefined ? {} : jsonFile(values.config),
    values: values.values === undefined ? {} : (jsonFile(values.values) as CommandLine["values"]),
    apply: values.apply ?? false,
    cases: count("--cases", values.cases, 50),
    seed: count("--seed", values.seed, 1),
    timeoutMs: count("--timeout", values.timeout, 60) * 1000,
    except,
    json: values.json ?? false,
    strict: values.strict ?? false,
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        resource: { type: "string", multiple: true },
        config: { type: "string" },
        values: { type: "string" },
        apply: { type: "boolean" },
        cases: { type: "string" },
        seed: { type: "string" },
        timeout: { type: "string" },
        except: { type: "string", multiple: true },
        "version-constraint": { type: "string" },
        strict: { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new CommandError(`${(error as Error).message}; see --help`);
  }
}

function count(name: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  if (!/^\d{1,9}$/.test(text)) throw new CommandError(`${name} must be a whole number, and is ${JSON.stringify(text)}`);
  return Number(text);
}

function jsonFile(path: string): Readonly<Record<string, unknown>> {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CommandError(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) throw new CommandError(`${path} must contain a JSON object`);
  return data as Readonly<Record<string, unknown>>;
}
