// SPDX-License-Identifier: Apache-2.0
import type { AddressedDiagnostic } from "@tenon/engine";
import { opentofuVersion } from "@tenon/engine/configuration";
import { diagnosticDocument, type UiMessage } from "@tenon/engine/documents";
import { statusWord } from "../status.ts";
import type { CleanupResult, TestEvent, TestRunResult } from "../suite.ts";
import { abortingText, interruptionDocument, stoppingText } from "./interrupt-text.ts";
import { remainingObjectDocument, remainingObjects } from "./remaining-objects.ts";
import { countRuns, summaryText } from "./summary.ts";

/** Options of a {@link TestLog}. */
export interface TestLogOptions {
  /** Returns the time of a message. Default: the clock of the process. */
  readonly now?: () => Date;
  /** The version of OpenTofu in the first message. Default: the version that the engine follows. */
  readonly version?: string;
}

/** Converts the steps of a test to messages of the UI log, version 1.2, which `tofu test -json` prints. @see OpenTofu views, TestJSON */
export class TestLog {
  readonly #now: () => Date;
  readonly #version: string;

  constructor({ now = () => new Date(), version = opentofuVersion }: TestLogOptions = {}) {
    this.#now = now;
    this.#version = version;
  }

  /** The first message of a log, with the version. */
  version(): UiMessage {
    return this.#message("info", `OpenTofu ${this.#version}`, { tofu: this.#version, type: "version", ui: "1.2" });
  }

  /** The messages about a step. */
  messages(event: TestEvent): readonly UiMessage[] {
    switch (event.type) {
      case "loaded":
        return this.#diagnostics(event.diagnostics, event);
      case "suiteStarted": {
        const runs = [...event.files.values()].reduce((sum, names) => sum + names.length, 0);
        const { size } = event.files;
        const text = `Found ${size} ${size === 1 ? "file" : "files"} and ${runs} ${runs === 1 ? "run block" : "run blocks"}`;
        const namesByFile = Object.fromEntries([...event.files].map(([path, names]) => [path, names.length === 0 ? null : [...names]]));
        return [this.#message("info", text, { type: "test_abstract", test_abstract: namesByFile })];
      }
      case "fileEnded": {
        const { path, status, runs } = event.file;
        const file = { type: "test_file", test_file: { path, status }, "@testfile": path };
        return [this.#message("info", `${path}... ${statusWord(status)}`, file), ...runs.flatMap((run) => this.#run(path, run, event))];
      }
      case "cleanedUp":
        return this.#cleanup(event.path, event.cleanup, event);
      case "stopping":
        return [this.#message("info", stoppingText, { type: "log" })];
      case "aborting":
        return [this.#message("info", abortingText, { type: "log" })];
      case "interrupted": {
        const document = { type: "test_interrupt", test_interrupt: interruptionDocument(event.interruption), "@testfile": event.path };
        const text = "OpenTofu was interrupted during test execution, and may not have performed the expected cleanup operations.";
        return [this.#message("error", text, document)];
      }
      default: {
        const { suite } = event;
        const summary = { status: suite.status, ...countRuns(suite) };
        return [this.#message("info", summaryText(suite), { type: "test_summary", test_summary: summary })];
      }
    }
  }

  #run(path: string, { name, status, document, diagnostics }: TestRunResult, event: TestEvent): readonly UiMessage[] {
    const place = { "@testfile": path, "@testrun": name };
    const run = { type: "test_run", test_run: { path, run: name, status }, ...place };
    const messages = [this.#message("info", `  ${JSON.stringify(name)}... ${statusWord(status)}`, run)];
    if (document !== undefined) {
      const type = `test_${document.kind}`;
      const text = `-verbose flag enabled, printing ${document.kind}`;
      messages.push(this.#message("info", text, { type, [type]: document.json, ...place }));
    }
    return [...messages, ...this.#diagnostics(diagnostics, event, place)];
  }

  #cleanup(path: string, { run, diagnostics, state }: CleanupResult, event: TestEvent): readonly UiMessage[] {
    const place = { "@testfile": path, "@testrun": run };
    const messages: UiMessage[] = [];
    const remaining = remainingObjects(state);
    if (remaining.length > 0) {
      const text = `OpenTofu left some resources in state after executing ${path}/${run}, these left-over resources can be viewed by reading the statefile written to disk(errored_test.tfstate) and they need to be cleaned up manually:`;
      messages.push(
        this.#message("error", text, {
          type: "test_cleanup",
          test_cleanup: { failed_resources: remaining.map(remainingObjectDocument) },
          ...place,
        }),
      );
    }
    messages.push(...this.#diagnostics(diagnostics, event, place));
    if (remaining.length > 0) messages.push(this.#message("info", "Writing state to file: errored_test.tfstate", {}));
    return messages;
  }

  #diagnostics(
    diagnostics: readonly AddressedDiagnostic[],
    { sources }: TestEvent,
    place: Readonly<Record<string, string>> = {},
  ): readonly UiMessage[] {
    return diagnostics.map((diagnostic) => {
      const [level, word] = diagnostic.severity === "warning" ? ["warn", "Warning"] : ["error", "Error"];
      const document = diagnosticDocument(diagnostic, sources);
      return this.#message(level, `${word}: ${diagnostic.summary}`, { type: "diagnostic", diagnostic: document, ...place });
    });
  }

  #message(level: string, text: string, content: UiMessage): UiMessage {
    const time = this.#now().toISOString().replace("Z", "000Z");
    return { "@level": level, "@message": text, "@module": "tofu.ui", "@timestamp": time, ...content };
  }
}
