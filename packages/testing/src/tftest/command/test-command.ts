// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ProviderOption } from "@tenon/engine";
import { createStateFile, writeStateFile } from "@tenon/engine/state";
import { providerFactory } from "@tenon/plugin-host";
import { TestingError } from "../../error.ts";
import { runTestFiles } from "../run-test-files.ts";
import type { TestEvent } from "../suite.ts";
import { junitReport } from "../views/junit.ts";
import { remainingObjects } from "../views/remaining-objects.ts";
import { TestLog } from "../views/test-log.ts";
import { testText } from "../views/test-text.ts";
import type { TestCommandOptions } from "./test-options.ts";

/** The output streams of the command, and the signals that end it. */
export interface CommandIo {
  readonly write: (stream: "stdout" | "stderr", text: string) => void;
  /** The width of the terminal in columns. Default: 78. */
  readonly width?: number | undefined;
  /** Ends the tests gracefully. */
  readonly stopSignal: AbortSignal;
  /** Ends the tests immediately. */
  readonly signal: AbortSignal;
}

/** Runs the test files of the current folder. Returns the exit code: 0 if all run blocks pass, otherwise 1. @throws TestingError `OPTIONS_INVALID`. */
export async function runTestCommand(options: TestCommandOptions, io: CommandIo): Promise<number> {
  const log = new TestLog();
  const lines: string[] = [];
  const logMessage = (message: object): void => {
    const line = `${JSON.stringify(message)}\n`;
    if (options.jsonInto !== undefined) lines.push(line);
    if (options.json) io.write("stdout", line);
  };
  logMessage(log.version());
  const onEvent = (event: TestEvent): void => {
    for (const message of log.messages(event)) logMessage(message);
    if (!options.json) {
      const { color, compactWarnings, consolidateWarnings, consolidateErrors } = options;
      const view = { color, compactWarnings, consolidateWarnings, consolidateErrors, ...(io.width !== undefined && { width: io.width }) };
      for (const { stream, text } of testText(event, view)) io.write(stream, text);
    }
    if (event.type === "cleanedUp" && remainingObjects(event.cleanup.state).length > 0) {
      writeFileSync("errored_test.tfstate", writeStateFile(createStateFile(event.cleanup.state)));
    }
  };
  try {
    const providers = await Promise.all(
      [...options.providers].map(async ([address, file]): Promise<readonly [string, ProviderOption]> => [
        address,
        await loadProvider(file),
      ]),
    );
    const suite = await runTestFiles({
      configuration: ".",
      providers: Object.fromEntries(providers),
      installProviders: true,
      installModules: true,
      testFolder: options.testDirectory,
      filter: options.filter,
      variables: options.variables,
      verbose: options.verbose,
      onEvent,
      stopSignal: io.stopSignal,
      signal: io.signal,
    });
    if (options.junitXml !== undefined) writeFileSync(options.junitXml, junitReport(suite));
    return suite.status === "pass" ? 0 : 1;
  } catch (error) {
    // The text has already named the objects that the interrupt leaves behind.
    if (io.signal.aborted) return 1;
    throw error;
  } finally {
    if (options.jsonInto !== undefined) writeFileSync(options.jsonInto, lines.join(""));
  }
}

/** Loads the provider in a file: the export `provider` of a module, or a program. @throws TestingError `OPTIONS_INVALID`. */
async function loadProvider(file: string): Promise<ProviderOption> {
  const path = resolve(file);
  if (!/\.[cm]?[jt]s$/.test(path)) return providerFactory(path);
  const module = (await import(pathToFileURL(path).href)) as { readonly provider?: ProviderOption };
  if (module.provider !== undefined) return module.provider;
  throw new TestingError("OPTIONS_INVALID", `${file} does not export a provider with the name "provider"`);
}
