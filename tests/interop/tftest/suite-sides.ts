// SPDX-License-Identifier: Apache-2.0
// A suite of test files, run by tofu and by @tenon/testing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { objectFiles } from "@tenon/engine/configuration";
import { runTestFiles, TestLog, testText, type RunTestFilesOptions } from "@tenon/testing/tftest";
import type { TestSuite } from "./suites.ts";
import { logVariable, provider } from "./workshop.ts";

/** The result of a suite. */
export interface SuiteOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The messages of the JSON log. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** What the provider did to objects. */
  readonly changes: readonly string[];
}

export const workshopAddress = "registry.opentofu.org/tenon/workshop";

/** A folder for suites, and the file of the provider's log. */
export class SuiteFolder implements Disposable {
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "tenon-tftest-")));
  readonly changesFile: string = join(this.path, "changes.log");

  constructor() {
    writeFileSync(join(this.path, "cli.tfrc"), "");
    this.takeChanges();
  }

  /** The changes of the last suite, of whose configurations only the number is known: the cores configure at different times. */
  takeChanges(): readonly string[] {
    let lines: readonly string[] = [];
    try {
      lines = readFileSync(this.changesFile, "utf8").trimEnd().split("\n");
    } catch {
      // There is no file before the first suite.
    }
    writeFileSync(this.changesFile, "");
    return lines.filter((line) => line !== "" && !line.startsWith("configure "));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Runs a suite with tofu, which attaches to the provider. */
export async function runWithTofu(tofu: string, folder: SuiteFolder, reattach: string, suite: TestSuite): Promise<SuiteOutcome> {
  const root = mkdtempSync(join(folder.path, "suite-"));
  for (const [name, content] of Object.entries(suite.files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"));
  const env = {
    ...Object.fromEntries(kept),
    TF_REATTACH_PROVIDERS: reattach,
    TF_CLI_CONFIG_FILE: join(folder.path, "cli.tfrc"),
    CHECKPOINT_DISABLE: "1",
    HOME: folder.path,
    ...suite.environment,
  };
  const run = async (...args: readonly string[]): Promise<Omit<SuiteOutcome, "log" | "changes">> => {
    const child = spawn(tofu, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    if (stderr.includes("panic:")) throw new Error(`tofu ${args.join(" ")} ended with a panic\n${stderr}`);
    return { code: child.exitCode, stdout, stderr };
  };
  const files = Object.values(suite.files).join("\n");
  const isInstalled = ".terraform/modules/modules.json" in suite.files;
  if (!isInstalled && /^\s*module\b|"module":/m.test(files))
    await run("get", ...(suite.testFolder === undefined ? [] : [`-test-directory=${suite.testFolder}`]));
  const outcome = await run("test", "-json-into=log.jsonl", ...tofuArguments(suite));
  const lines = readFileSync(join(root, "log.jsonl"), "utf8").split("\n");
  return { ...outcome, log: lines.filter((line) => line !== "").map((line) => JSON.parse(line) as never), changes: folder.takeChanges() };
}

function tofuArguments({ testFolder, filter = [], variables = [], verbose, view = {} }: TestSuite): readonly string[] {
  return [
    ...(testFolder === undefined ? [] : [`-test-directory=${testFolder}`]),
    ...filter.map((path) => `-filter=${path}`),
    ...variables.map((one) => ("file" in one ? `-var-file=${one.file}` : `-var=${one.name}=${one.text}`)),
    ...(verbose === true ? ["-verbose"] : []),
    ...(view.color === true ? [] : ["-no-color"]),
    ...(view.compactWarnings === true ? ["-compact-warnings"] : []),
    ...(view.consolidateWarnings === false ? ["-consolidate-warnings=false"] : []),
    ...(view.consolidateErrors === true ? ["-consolidate-errors"] : []),
  ];
}

/** Runs a suite in this process. */
export async function runInProcess(folder: SuiteFolder, suite: TestSuite): Promise<SuiteOutcome> {
  process.env[logVariable] = folder.changesFile;
  const outputs = { stdout: "", stderr: "" };
  const log = new TestLog();
  const messages: object[] = [log.version()];
  const { testFolder, filter = [], variables = [], verbose = false, environment = {}, view } = suite;
  const options: RunTestFilesOptions = {
    configuration: objectFiles(suite.files),
    providers: { [workshopAddress]: provider },
    environmentVariables: environment,
    ...(testFolder !== undefined && { testFolder }),
    filter,
    variables,
    verbose,
    onEvent: (event) => {
      messages.push(...log.messages(event));
      for (const { stream, text: part } of testText(event, view)) outputs[stream] += part;
    },
  };
  const { status } = await runTestFiles(options);
  const lines = messages.map((message) => JSON.parse(JSON.stringify(message)) as never);
  return { code: status === "pass" ? 0 : 1, ...outputs, log: lines, changes: folder.takeChanges() };
}
