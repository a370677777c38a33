// SPDX-License-Identifier: Apache-2.0
// The form of `steps.json`. CONTRIBUTING.md and README.md of this folder document it.

/** How a provider is opened: a source of `providerFactory`, or a module that exports a provider written with provider-sdk. */
export type StepProvider = string | readonly [file: string, ...args: string[]] | { readonly module: string; readonly export?: string };

/** What a step is expected to end with. */
export type Expectation = "success" | "planFails" | "applyFails";

/** A plan, and its apply. */
export interface Step {
  readonly name?: string;
  /** A folder whose files are copied over those of the working folder before the step. */
  readonly folder?: string;
  /** Files that are written into the working folder before the step; null removes one. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** Commands that run in the working folder before the step, after the files are written. */
  readonly run?: readonly (readonly [program: string, ...args: string[]])[];
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly mode?: "normal" | "destroy" | "refreshOnly";
  readonly refresh?: boolean;
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
  readonly replace?: readonly string[];
  /** Whether the plan is applied. Default: true. */
  readonly apply?: boolean;
  readonly expect?: Expectation;
}

/** A file of steps. */
export interface StepFile {
  /** By source address. A provider without an entry is found as `tofu init` finds it. */
  readonly providers?: Readonly<Record<string, StepProvider>>;
  /** For all steps. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly parallelism?: number;
  readonly steps: readonly Step[];
}

type Check = (value: unknown, at: string) => void;

/** Reads a file of steps. @throws RangeError with the place of the first mistake. */
export function parseStepFile(text: string): StepFile {
  const parsed: unknown = JSON.parse(text);
  stepFile(parsed, "steps.json");
  return parsed as StepFile;
}

function fail(at: string, expected: string): never {
  throw new RangeError(`${at} must be ${expected}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kind(expected: string, accepts: (value: unknown) => boolean): Check {
  return (value, at) => void (accepts(value) || fail(at, expected));
}

const text = kind("a string", (value) => typeof value === "string");
const flag = kind("true or false", (value) => typeof value === "boolean");
const anything: Check = () => undefined;

function oneOf(...names: readonly string[]): Check {
  return kind(`one of ${names.join(", ")}`, (value) => names.includes(value as string));
}

function listOf(element: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) fail(at, "a list");
    for (const [index, one] of value.entries()) element(one, `${at}[${index}]`);
  };
}

function recordOf(element: Check): Check {
  return (value, at) => {
    if (!isRecord(value)) fail(at, "an object");
    for (const [key, one] of Object.entries(value)) element(one, `${at}.${key}`);
  };
}

function shape(properties: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, at) => {
    if (!isRecord(value)) fail(at, "an object");
    for (const name of required) if (!(name in value)) fail(`${at}.${name}`, "present");
    for (const [name, one] of Object.entries(value)) {
      const check = properties[name];
      if (check === undefined) fail(`${at}.${name}`, `absent: the properties are ${Object.keys(properties).join(", ")}`);
      check(one, `${at}.${name}`);
    }
  };
}

const command: Check = (value, at) => {
  listOf(text)(value, at);
  if ((value as readonly unknown[]).length === 0) fail(at, "a program with its arguments");
};

const module = shape({ module: text, export: text }, ["module"]);

const provider: Check = (value, at) => {
  if (typeof value !== "string") (Array.isArray(value) ? command : module)(value, at);
};

const step = shape({
  name: kind("a name without slashes", (value) => typeof value === "string" && /^[^/\\]+$/.test(value)),
  folder: text,
  files: recordOf(kind("a string or null", (value) => value === null || typeof value === "string")),
  run: listOf(command),
  variables: recordOf(anything),
  mode: oneOf("normal", "destroy", "refreshOnly"),
  refresh: flag,
  targets: listOf(text),
  excludes: listOf(text),
  replace: listOf(text),
  apply: flag,
  expect: oneOf("success", "planFails", "applyFails"),
});

const stepFile = shape(
  {
    providers: recordOf(provider),
    variables: recordOf(anything),
    parallelism: kind("a positive integer", (value) => Number.isInteger(value) && (value as number) > 0),
    steps: listOf(step),
  },
  ["steps"],
);
