// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestTextOptions } from "@tenon/testing/tftest";

/** A module under test with its test files, and how they are run. */
export interface TestSuite {
  readonly name: string;
  /** The content of each file by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly testFolder?: string;
  readonly filter?: readonly string[];
  readonly variables?: readonly ({ readonly file: string } | { readonly name: string; readonly text: string })[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly verbose?: boolean;
  /** How the text is printed. */
  readonly view?: Pick<TestTextOptions, "color" | "compactWarnings" | "consolidateWarnings" | "consolidateErrors">;
}

/**
 * The suites in the files of the folder `suites`. A line `== name` begins a suite, a line `-- path --` a file of it. Lines between them are
 * options: `filter PATH`, `var NAME=VALUE`, `var-file PATH`, `env NAME=VALUE`, `test-directory FOLDER`, `verbose`, `color`, `compact-warnings`,
 * `no-consolidate-warnings` and `consolidate-errors`.
 */
export function readSuites(): readonly TestSuite[] {
  const folder = join(import.meta.dirname, "suites");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".suites"))
    .sort()
    .flatMap((name) => suitesIn(readFileSync(join(folder, name), "utf8")));
}

function suitesIn(content: string): readonly TestSuite[] {
  return content
    .split(/^== /m)
    .slice(1)
    .map((suite) => {
      const [head = "", ...parts] = suite.split(/^-- (.*) --\n/m);
      const [name = "", ...options] = head.trimEnd().split("\n");
      const files: Record<string, string> = {};
      for (let index = 0; index < parts.length; index += 2) files[parts[index]!] = `${parts[index + 1]!.trimEnd()}\n`;
      return { name, files, ...optionsOf(options) };
    });
}

function optionsOf(lines: readonly string[]): Omit<TestSuite, "name" | "files"> {
  const filter: string[] = [];
  const variables: ({ readonly file: string } | { readonly name: string; readonly text: string })[] = [];
  const environment: Record<string, string> = {};
  let rest: Pick<TestSuite, "testFolder" | "verbose" | "view"> = {};
  const view = (one: TestSuite["view"]): void => void (rest = { ...rest, view: { ...rest.view, ...one } });
  for (const line of lines.filter((one) => one !== "")) {
    const [, option, value = ""] = /^([a-z-]+)(?: (.*))?$/.exec(line) ?? [];
    const [name = "", text = ""] = value.split(/=(.*)/s);
    if (option === "filter") filter.push(value);
    else if (option === "var") variables.push({ name, text });
    else if (option === "var-file") variables.push({ file: value });
    else if (option === "env") environment[name] = text;
    else if (option === "test-directory") rest = { ...rest, testFolder: value };
    else if (option === "verbose") rest = { ...rest, verbose: true };
    else if (option === "color") view({ color: true });
    else if (option === "compact-warnings") view({ compactWarnings: true });
    else if (option === "no-consolidate-warnings") view({ consolidateWarnings: false });
    else if (option === "consolidate-errors") view({ consolidateErrors: true });
    else throw new Error(`unknown option: ${line}`);
  }
  return { filter, variables, environment, ...rest };
}
