// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import type { VariableSources } from "@tenon/engine/configuration";
import { TestingError } from "../../error.ts";

/** The options of the command. */
export interface TestCommandOptions {
  readonly filter: readonly string[];
  readonly testDirectory: string;
  readonly variables: NonNullable<VariableSources["options"]>;
  readonly verbose: boolean;
  readonly json: boolean;
  /** File that gets the JSON log in addition to the text. */
  readonly jsonInto: string | undefined;
  /** File that gets a JUnit report. */
  readonly junitXml: string | undefined;
  readonly color: boolean;
  readonly compactWarnings: boolean;
  readonly consolidateWarnings: boolean;
  readonly consolidateErrors: boolean;
  /** Files of providers, by source address. */
  readonly providers: ReadonlyMap<string, string>;
}

/** The help of the command. */
export const testUsage = `Usage: tenon-test [options]

Runs the test files (.tftest.hcl, .tofutest.hcl, and the same with .json) of the configuration in the current folder, as "tofu test" does,
without a command line of OpenTofu. Modules and providers that the configuration requires are installed.

Options, which also have the form --option:

  -filter=FILE             runs only this test file; can be repeated
  -test-directory=FOLDER   the folder of test files below the current one; default: tests
  -var NAME=VALUE          sets a variable; can be repeated
  -var-file=FILE           reads variables from a file; can be repeated
  -verbose                 prints the plan or the state of each run block
  -json                    prints the UI log in JSON
  -json-into=FILE          writes the UI log in JSON to a file, and prints the text
  -junit-xml=FILE          writes a JUnit report to a file
  -provider ADDRESS=FILE   a provider under development: a module that exports it as "provider", or a program; can be repeated
  -no-color                prints no colours
  -compact-warnings        prints only the summaries of warnings if there are no errors
  -consolidate-warnings=BOOL, -consolidate-errors=BOOL
                           whether problems with the same summary are printed once; default: true for warnings, false for errors
`;

const flags = {
  filter: { type: "string", multiple: true },
  "test-directory": { type: "string" },
  var: { type: "string", multiple: true },
  "var-file": { type: "string", multiple: true },
  verbose: { type: "boolean" },
  json: { type: "boolean" },
  "json-into": { type: "string" },
  "junit-xml": { type: "string" },
  provider: { type: "string", multiple: true },
  "no-color": { type: "boolean" },
  "compact-warnings": { type: "boolean" },
  "consolidate-warnings": { type: "string" },
  "consolidate-errors": { type: "string" },
} as const;

/** Reads the options of the command. @throws TestingError `OPTIONS_INVALID`. */
export function readTestOptions(args: readonly string[]): TestCommandOptions {
  const parsed = parse(args);
  const { values } = parsed;
  return {
    filter: values.filter ?? [],
    testDirectory: values["test-directory"] ?? "tests",
    variables: variablesOf(parsed.tokens),
    verbose: values.verbose ?? false,
    json: values.json ?? false,
    jsonInto: values["json-into"],
    junitXml: values["junit-xml"],
    color: values["no-color"] !== true && (process.stdout.isTTY ?? false),
    compactWarnings: values["compact-warnings"] ?? false,
    consolidateWarnings: booleanOf("consolidate-warnings", values["consolidate-warnings"], true),
    consolidateErrors: booleanOf("consolidate-errors", values["consolidate-errors"], false),
    providers: new Map((values.provider ?? []).map((text) => pairOf("provider", text))),
  };
}

function parse(args: readonly string[]): ReturnType<typeof parseFlags> {
  const normal = args.flatMap(normalArgument);
  try {
    return parseFlags(normal);
  } catch (cause) {
    throw new TestingError("OPTIONS_INVALID", `${(cause as Error).message} Use -help to see the options.`, { cause });
  }
}

function parseFlags(args: string[]) {
  return parseArgs({ args, options: flags, tokens: true });
}

/** An argument in the form of `parseArgs`. As in OpenTofu, options may have one dash, and boolean options a value. */
function normalArgument(arg: string): readonly string[] {
  const [, name, value] = /^--?([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
  if (name === undefined || !Object.hasOwn(flags, name)) return [arg];
  if (flags[name as keyof typeof flags].type === "string") return [value === undefined ? `--${name}` : `--${name}=${value}`];
  return booleanOf(name, value, true) ? [`--${name}`] : [];
}

/** The variables and variables files, in the order of the options. */
function variablesOf(tokens: ReturnType<typeof parseFlags>["tokens"]): TestCommandOptions["variables"] {
  return tokens.flatMap((token): TestCommandOptions["variables"] => {
    if (token.kind !== "option" || token.value === undefined) return [];
    if (token.name === "var-file") return [{ file: token.value }];
    if (token.name !== "var") return [];
    const [name, text] = pairOf("var", token.value);
    return [{ name, text }];
  });
}

function pairOf(option: string, text: string): readonly [string, string] {
  const end = text.indexOf("=");
  if (end > 0) return [text.slice(0, end), text.slice(end + 1)];
  throw new TestingError("OPTIONS_INVALID", `-${option} ${JSON.stringify(text)} must have the form NAME=VALUE`);
}

function booleanOf(option: string, text: string | undefined, defaultValue: boolean): boolean {
  if (text === undefined) return defaultValue;
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw new TestingError("OPTIONS_INVALID", `-${option}=${text} must be true or false`);
}
