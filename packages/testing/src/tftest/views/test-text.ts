// SPDX-License-Identifier: Apache-2.0
import { styleText } from "node:util";
import type { AddressedDiagnostic } from "@tenon/engine";
import { renderDiagnostic } from "@tenon/engine/documents";
import { hasErrors } from "@tenon/hcl";
import { statusWord, type TestStatus } from "../status.ts";
import type { CleanupResult, TestEvent, TestRunResult } from "../suite.ts";
import { abortingText, interruptionTexts, stoppingText } from "./interrupt-text.ts";
import { formatRemainingObject, remainingObjects } from "./remaining-objects.ts";
import { shownDiagnostics, type DiagnosticGrouping } from "./shown-diagnostics.ts";
import { summaryText } from "./summary.ts";
import { wrapText } from "./wrap-text.ts";

/** Options of {@link testText}. */
export interface TestTextOptions extends DiagnosticGrouping {
  /** Whether the text has terminal colours. Default: false. */
  readonly color?: boolean;
  /** Number of columns to which sentences are wrapped. Default: 78, as for output that is not a terminal. */
  readonly width?: number;
  /** Whether warnings without errors are shown by their summaries only. Default: false. */
  readonly compactWarnings?: boolean;
}

/** A text, and the stream that it is written to. */
export interface StreamText {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** The text about a step of a test, as `tofu test` prints it. @see OpenTofu views, TestHuman */
export function testText(event: TestEvent, options: TestTextOptions = {}): readonly StreamText[] {
  const view = new TestTextView(event.sources, options);
  switch (event.type) {
    case "loaded":
      return view.diagnostics(event.diagnostics);
    case "fileEnded": {
      const { path, status, runs } = event.file;
      return [out(`${path}... ${view.status(status)}\n`), ...runs.flatMap((run) => view.run(run))];
    }
    case "cleanedUp":
      return view.cleanup(event.path, event.cleanup);
    case "stopping":
      return [err(view.wrapped(`${stoppingText}\n`))];
    case "aborting":
      return [err(view.wrapped(`${abortingText}\n`))];
    case "interrupted":
      return interruptionTexts(event.path, event.interruption, (sentence) => view.wrapped(sentence)).map(err);
    case "suiteEnded":
      return [out(`\n${summaryText(event.suite, (status, word) => view.styled(status, word))}\n`)];
    default:
      return [];
  }
}

function out(text: string): StreamText {
  return { stream: "stdout", text };
}

function err(text: string): StreamText {
  return { stream: "stderr", text };
}

class TestTextView {
  readonly #sources: TestEvent["sources"];
  readonly #options: TestTextOptions;

  constructor(sources: TestEvent["sources"], options: TestTextOptions) {
    this.#sources = sources;
    this.#options = options;
  }

  status(status: TestStatus): string {
    return this.styled(status, statusWord(status));
  }

  styled(status: TestStatus, word: string): string {
    if (this.#options.color !== true) return word;
    const color = { pass: "green", fail: "red", skip: "white", pending: "white" } as const;
    return styleText(color[statusWord(status)], word, { validateStream: false });
  }

  wrapped(text: string): string {
    return wrapText(text, this.#options.width ?? 78);
  }

  run({ name, status, diagnostics, document }: TestRunResult): readonly StreamText[] {
    const text = document === undefined ? [] : [out(document.text({ color: this.#options.color === true }))];
    return [out(`  run ${JSON.stringify(name)}... ${this.status(status)}\n`), ...text, ...this.diagnostics(diagnostics)];
  }

  cleanup(path: string, { run, diagnostics, state }: CleanupResult): readonly StreamText[] {
    const place = `${path}/${run}`;
    const texts: StreamText[] = [];
    if (hasErrors(diagnostics)) {
      texts.push(err(this.wrapped(`OpenTofu encountered an error destroying resources created while executing ${place}.\n`)));
    }
    texts.push(...this.diagnostics(diagnostics));
    const remaining = remainingObjects(state);
    if (remaining.length === 0) return texts;
    const sentence = `\nOpenTofu left the following resources in state after executing ${place}, these left-over resources can be viewed by reading the statefile written to disk(errored_test.tfstate) and they need to be cleaned up manually:\n`;
    texts.push(err(this.wrapped(sentence)));
    texts.push(...remaining.map((object) => err(`  - ${formatRemainingObject(object)}\n`)));
    return [...texts, err(this.wrapped("\nWriting state to file: errored_test.tfstate\n"))];
  }

  diagnostics(diagnostics: readonly AddressedDiagnostic[]): readonly StreamText[] {
    const shown = shownDiagnostics(diagnostics, this.#options);
    if (this.#options.compactWarnings === true && shown.length > 0 && !hasErrors(diagnostics)) {
      const lines = shown.map(({ diagnostic, ranges: [first, ...others] }) => {
        const rest = others.length === 0 ? "" : ` (and ${others.length} more)`;
        return `- ${diagnostic.summary}\n${first === undefined ? "" : `  on ${first.filename} line ${first.start.line}${rest}\n`}`;
      });
      return [out(`\nWarnings:\n\n${lines.join("")}\nTo see the full warning notes, run OpenTofu without -compact-warnings.\n`)];
    }
    return shown.map(({ diagnostic }) => {
      const text = renderDiagnostic(diagnostic, this.#sources, this.#options);
      return diagnostic.severity === "error" ? err(text) : out(text);
    });
  }
}
