// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { TestingError } from "../error.ts";
import { lawNames, type LawName } from "../laws/law.ts";

/** The command line of `tenon-check-provider`. */
export interface CommandLine {
  /** The executable and its arguments, or a source address. */
  readonly provider: readonly string[];
  readonly version: string | undefined;
  /** Type names; empty for all. A `*` at the end matches any characters. */
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

/** The text of `--help`. */
export const usage: string = `Usage: tenon-check-provider [options] <provider> [arguments of the provider]

Checks that the resources of a provider follow the laws, with generated configurations. Validates and plans; applies nothing without --apply.

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

/** Reads the command line. Returns undefined for `--help`. @throws TestingError `OPTIONS_INVALID`. */
export function readCommandLine(args: readonly string[]): CommandLine | undefined {
  const providerStart = startOfProvider(args);
  const { values } = parse(args.slice(0, providerStart));
  if (values.help) return undefined;
  const provider = args.slice(providerStart);
  if (provider.length === 0) throw new TestingError("OPTIONS_INVALID", "names no provider; see --help");
  const except = (values.except ?? []).map((name) => {
    if (!lawNames.includes(name as LawName)) throw new TestingError("OPTIONS_INVALID", `--except ${name} is not a law; see --help`);
    return name as LawName;
  });
  return {
    provider,
    version: values["version-constraint"],
    resources: values.resource ?? [],
    config: values.config === undefined ? {} : jsonFile(values.config),
    values: values.values === undefined ? {} : (jsonFile(values.values) as CommandLine["values"]),
    apply: values.apply ?? false,
    cases: wholeNumber("--cases", values.cases, { default: 50, minimum: 1 }),
    seed: wholeNumber("--seed", values.seed, { default: 1, minimum: 0 }),
    timeoutMs: wholeNumber("--timeout", values.timeout, { default: 60, minimum: 1 }) * 1000,
    except,
    json: values.json ?? false,
    strict: values.strict ?? false,
  };
}

const options = {
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
} as const;

/** The index of the first argument that is not an option or its value: the provider. The arguments after it are those of the provider. */
function startOfProvider(args: readonly string[]): number {
  let index = 0;
  while (args[index]?.startsWith("-") === true) {
    const option = Object.entries(options).find(([name]) => args[index] === `--${name}`)?.[1];
    index += option?.type === "string" ? 2 : 1;
  }
  return index;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new TestingError("OPTIONS_INVALID", `${(error as Error).message}; see --help`);
  }
}

function wholeNumber(name: string, text: string | undefined, limits: { readonly default: number; readonly minimum: number }): number {
  if (text === undefined) return limits.default;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  if (number !== undefined && number >= limits.minimum) return number;
  const { minimum } = limits;
  throw new TestingError("OPTIONS_INVALID", `${name} must be a whole number of at least ${minimum}, and is ${JSON.stringify(text)}`);
}

function jsonFile(path: string): Readonly<Record<string, unknown>> {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new TestingError("OPTIONS_INVALID", `${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw new TestingError("OPTIONS_INVALID", `${path} must contain a JSON object`);
  return data as Readonly<Record<string, unknown>>;
}
