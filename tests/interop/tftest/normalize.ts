// SPDX-License-Identifier: Apache-2.0
import { shownText } from "./shown-text.ts";
import type { SuiteOutcome } from "./suite-sides.ts";

type Message = Readonly<Record<string, unknown>>;

/**
 * An outcome without what differs from run to run, and without these differences:
 *
 * - `diagnostic-order`: the diagnostics of a run block are sorted in the log. Tofu sorts those of the log only if it prints a text, too.
 * - `order-without-range`: errors of a text that have no source range, and that follow each other, are sorted. Tofu prints those of independent
 *   instances in the order in which its walk meets them.
 * - `sensitive-differences`: the log does not show the sides of comparisons with sensitive values.
 * - `state-file-message`: tofu does not say that it writes the remaining objects to a file if it writes a text and a log.
 * - `random-texts`: IDs, and the texts that mocks generate, differ; so do the times of plans.
 */
export function normalOutcome({ code, stdout, stderr, log, changes }: SuiteOutcome): unknown {
  const text = (value: string): readonly string[] =>
    shownText(withoutRandomTexts(value)).replace(`\n${stateFileMessage}\n`, "").split("\n");
  const messages = log.filter((message) => message["@message"] !== stateFileMessage).map(normalMessage);
  return { code, stdout: text(stdout), stderr: withSortedErrors(text(stderr)), log: sortedDiagnostics(messages), changes };
}

const stateFileMessage = "Writing state to file: errored_test.tfstate";

function normalMessage(given: Message): Message {
  const message = { ...given, "@timestamp": "<time>" };
  const { diagnostic } = message as { readonly diagnostic?: Readonly<Record<string, unknown>> };
  const { difference, ...rest } = diagnostic ?? {};
  const sides = difference as { readonly before_sensitive: unknown; readonly after_sensitive: unknown } | undefined;
  const isSensitive = sides !== undefined && (sides.before_sensitive === true || sides.after_sensitive === true);
  return JSON.parse(withoutRandomTexts(JSON.stringify(isSensitive ? { ...message, diagnostic: rest } : message))) as Message;
}

function withoutRandomTexts(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>").replaceAll(/"timestamp":"[^"]*"/g, '"timestamp":"<time>"');
}

/** Sorts errors without a source range that follow each other. An empty line is before each, and at the end of the text. */
function withSortedErrors(lines: readonly string[]): readonly string[] {
  const blocks: string[][] = [[]];
  for (const [index, line] of lines.slice(0, -1).entries()) {
    if (line === "" && /^(<[^>]*>)?Error: /.test(lines[index + 1] ?? "")) blocks.push([]);
    blocks.at(-1)?.push(line);
  }
  const text = blocks.map((block) => block.join("\n"));
  const hasNoRange = (block: string | undefined): boolean => block !== undefined && !/^ +on .* line \d+/m.test(block);
  for (let start = 1; start < text.length; start++) {
    let end = start;
    while (hasNoRange(text[end])) end++;
    text.splice(start, end - start, ...text.slice(start, end).sort());
    start = end;
  }
  return [...text.join("\n").split("\n"), ...lines.slice(-1)];
}

/** Sorts the diagnostics between other messages. */
function sortedDiagnostics(log: readonly Message[]): readonly Message[] {
  const groups: Message[][] = [];
  for (const message of log) {
    const last = groups.at(-1);
    if (message["type"] === "diagnostic" && last?.[0]?.["type"] === "diagnostic") last.push(message);
    else groups.push([message]);
  }
  return groups.flatMap((group) => group.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)));
}
