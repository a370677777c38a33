// SPDX-License-Identifier: Apache-2.0
import { isMarked, type Mark, type Value } from "@tenon/cty";
import { containsMark, isMarkedPayload, mapChildPayloads, type Payload } from "@tenon/cty/unstable/payload";

// The marks are symbols of the global registry, so that two installed copies of this package use the same marks.

/** Marks a value that must not be shown. */
export const SENSITIVE: symbol = Symbol.for("@tenon/engine/mark/sensitive");
/** Marks a value that must never be stored in a plan or a state. */
export const EPHEMERAL: symbol = Symbol.for("@tenon/engine/mark/ephemeral");

/** Whether the value itself is marked sensitive. Does not examine its elements and attributes. */
export function isSensitive(value: Value): boolean {
  return isMarked(value, SENSITIVE);
}

/** Whether the value itself is marked ephemeral. Does not examine its elements and attributes. */
export function isEphemeral(value: Value): boolean {
  return isMarked(value, EPHEMERAL);
}

/** Whether the value, or any of its elements and attributes, has the mark. */
export function containsMarkOf({ payload }: Value, mark: Mark): boolean {
  return containsMark(payload) && payloadContains(payload, mark);
}

function payloadContains(payload: Payload, mark: Mark): boolean {
  if (isMarkedPayload(payload)) return payload.marks.has(mark) || payloadContains(payload.payload, mark);
  let found = false;
  mapChildPayloads(payload, (child) => {
    found ||= payloadContains(child, mark);
    return child;
  });
  return found;
}

/**
 * Returns the text of a value for an error message, or a placeholder if a mark forbids showing the value.
 *
 * @param shown The text as the message contains it, with quotes if the message has quotes.
 * @see OpenTofu internal/lang/funcs, redactIfSensitiveOrEphemeral
 */
export function redacted(shown: string, ...marks: readonly ReadonlySet<Mark>[]): string {
  const sensitive = marks.some((set) => set.has(SENSITIVE));
  const ephemeral = marks.some((set) => set.has(EPHEMERAL));
  if (sensitive && ephemeral) return "(ephemeral sensitive value)";
  if (ephemeral) return "(ephemeral value)";
  return sensitive ? "(sensitive value)" : shown;
}
