// SPDX-License-Identifier: Apache-2.0
import type { AddressedDiagnostic } from "@tenon/engine";
import type { ResourceInstance } from "@tenon/engine/address";
import type { State } from "@tenon/engine/state";
import type { JsonDocument } from "@tenon/engine/documents";
import type { TestStatus } from "./status.ts";

/** The plan or the state of a run block, in the forms that the command line prints. */
export interface RunDocument {
  readonly kind: "plan" | "state";
  readonly text: (options: { readonly color: boolean }) => string;
  readonly json: JsonDocument;
}

/** The result of a run block. */
export interface TestRunResult {
  readonly name: string;
  readonly command: "plan" | "apply";
  readonly status: TestStatus;
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** The plan after a `plan` command, the state after an `apply` command; with the option `verbose` only. */
  readonly document?: RunDocument;
  readonly milliseconds: number;
}

/** The destruction of the objects that run blocks with one state have created. */
export interface CleanupResult {
  /** The run block that changed the objects last. */
  readonly run: string;
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** The state after the destruction. It has the objects that could not be destroyed. */
  readonly state: State;
}

/** The objects of run blocks that share a state. */
export interface RunObjects {
  /** The run block that changed them last, and the source of its module; absent for the module under test. */
  readonly module?: { readonly run: string; readonly source: string };
  readonly state: State;
}

/** The objects that an abort leaves behind, and that the run does not destroy. */
export interface Interruption {
  /** The run block that was executed or whose objects were destroyed, and the source of its module; absent for the module under test. */
  readonly run: string;
  readonly source?: string;
  /** The objects that existed before the run block. */
  readonly objects: readonly RunObjects[];
  /** The objects that the run block was creating. They may exist. */
  readonly creating: readonly ResourceInstance[];
}

/** The result of a test file. */
export interface TestFileResult {
  /** Path relative to the folder of the module under test. */
  readonly path: string;
  readonly status: TestStatus;
  readonly runs: readonly TestRunResult[];
  readonly cleanups: readonly CleanupResult[];
}

/** The result of all test files. */
export interface TestSuiteResult {
  /** `error` if the files could not be loaded. */
  readonly status: TestStatus;
  readonly files: readonly TestFileResult[];
  /** Diagnostics about the configuration and the test files. With errors among them, no file was run. */
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** The texts of all files by path, to show the source of diagnostics. */
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
}

/** A step of {@link runTestFiles}, for progress. `sources` has the texts of all files by path. */
export type TestEvent = { readonly sources: ReadonlyMap<string, string | Uint8Array> } & (
  | { readonly type: "loaded"; readonly diagnostics: readonly AddressedDiagnostic[]; readonly failed: boolean }
  /** The names of the run blocks, by path of their file. */
  | { readonly type: "suiteStarted"; readonly files: ReadonlyMap<string, readonly string[]> }
  /** All run blocks of a file have ended. Their objects still exist. */
  | { readonly type: "fileEnded"; readonly file: Omit<TestFileResult, "cleanups"> }
  | { readonly type: "cleanedUp"; readonly path: string; readonly cleanup: CleanupResult }
  | { readonly type: "stopping" }
  | { readonly type: "aborting" }
  /** The run block that an abort has ended. No further event follows. */
  | { readonly type: "interrupted"; readonly path: string; readonly interruption: Interruption }
  | { readonly type: "suiteEnded"; readonly suite: TestSuiteResult }
);
