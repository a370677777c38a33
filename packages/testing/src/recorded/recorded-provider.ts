// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { recording, type RecordingOptions } from "@tenon/plugin-host/record";
import type { ProviderFactory } from "@tenon/schema";
import { TestingError } from "../error.ts";
import { factoryOf, type TestedProvider } from "../runner/runner.ts";
import { ReplayedInstances } from "./replayed-instances.ts";

/** Options of `recordedProvider`. */
export interface RecordedProviderOptions extends Omit<RecordingOptions, "overwrite"> {
  /** Whether calls are recorded, or answered from the recording. Default: that of the environment variable `TENON_PROVIDER_CALLS`, else `replay`. */
  readonly mode?: "record" | "replay";
}

const suffix = ".recording";
const modeVariable = "TENON_PROVIDER_CALLS";

/**
 * A provider whose calls are answered from a recording of another one, such as a Go provider: a case needs neither its binary nor its remote system. With
 * `TENON_PROVIDER_CALLS=record` the calls go to the provider, and are recorded; sensitive values are masked.
 *
 * A case that is replayed in process makes the calls that were recorded in process. A call that was not recorded fails with the first difference from the
 * nearest recorded one, and the case with it.
 *
 * @param folder Folder of the recording alone, in that of the tests: a file for each instance of the provider.
 * @param provider The provider that is recorded. A replay does not open it.
 * @throws TestingError `RECORDING_INVALID` when the provider is opened, without a recording. Calls reject with `CALL_NOT_RECORDED`.
 *
 * @example
 * const time = recordedProvider(new URL("./recordings/time", import.meta.url), providerFactory("./terraform-provider-time"));
 * test("a time", (context) => runTestCase(context, { providers: { time }, steps: [configStep(`…`)] }));
 */
export function recordedProvider(folder: string | URL, provider: TestedProvider, options: RecordedProviderOptions = {}): ProviderFactory {
  const { mode = modeOfEnvironment(), ...settings } = options;
  const path = folder instanceof URL ? fileURLToPath(folder) : resolve(folder);
  return mode === "record" ? recordingFactory(path, factoryOf(provider), settings) : replayingFactory(path);
}

function recordingFactory(folder: string, open: ProviderFactory, settings: Omit<RecordingOptions, "overwrite">): ProviderFactory {
  let count = 0;
  return async (options) => {
    // The numbers are those of the order in which instances are requested, as in the replay.
    const index = count++;
    if (index === 0) {
      mkdirSync(folder, { recursive: true });
      for (const file of filesIn(folder)) rmSync(file);
    }
    const provider = await open(options);
    try {
      return recording(provider, join(folder, `${String(index).padStart(3, "0")}${suffix}`), settings);
    } catch (error) {
      await provider.close();
      throw error;
    }
  };
}

function replayingFactory(folder: string): ProviderFactory {
  let instances: ReplayedInstances | undefined;
  return async () => {
    instances ??= new ReplayedInstances(folder, recordedFiles(folder), `record the calls again with ${modeVariable}=record`);
    return instances.open();
  };
}

function recordedFiles(folder: string): readonly string[] {
  const files = filesIn(folder);
  if (files.length > 0) return files;
  throw new TestingError("RECORDING_INVALID", `there is no recording in ${folder}: record the calls with ${modeVariable}=record`);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(suffix))
      .toSorted()
      .map((name) => join(folder, name));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new TestingError("RECORDING_INVALID", `the folder ${folder} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function modeOfEnvironment(): "record" | "replay" {
  const text = process.env[modeVariable] ?? "";
  if (text === "" || text === "replay") return "replay";
  if (text === "record") return "record";
  throw new TestingError("OPTIONS_INVALID", `${modeVariable} must be record or replay, and is ${text}`);
}
