// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";

/** The error's message and those of its causes, for a person. */
export function messageOf(error: unknown): string {
  const parts: string[] = [];
  let current: unknown = error;
  while (current !== undefined && current !== null && parts.length < 5) {
    const text = current instanceof Error ? current.message || current.name : plainText(current);
    if (!parts.some((part) => part.includes(text))) parts.push(text);
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join(": ");
}

/** Where the error came from, for the log. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : plainText(error);
}

/** What was thrown that is no error. */
function plainText(thrown: unknown): string {
  return typeof thrown === "string" ? thrown : inspect(thrown, { depth: 2 });
}
