// SPDX-License-Identifier: Apache-2.0
import { textOf } from "../../observability/error-stack.ts";

/** Joins the message of an error and those of its causes, at most five. */
export function messageOf(error: unknown): string {
  if (error === undefined || error === null)
    return `The provider threw ${error} instead of an error, so the reason is unknown. This is a bug in the provider.`;
  const parts: string[] = [];
  let current: unknown = error;
  while (current !== undefined && current !== null && parts.length < 5) {
    const text = current instanceof Error ? current.message || current.name : textOf(current);
    if (!parts.some((part) => part.includes(text))) parts.push(text);
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join(": ");
}
