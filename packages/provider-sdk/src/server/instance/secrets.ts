// SPDX-License-Identifier: Apache-2.0
import type { Type, Value } from "@tenon/cty";
import { isUnknownPayload, type Payload } from "@tenon/cty/unstable/payload";
import { HiddenTexts, textsOf } from "@tenon/schema/observability";
import { hasEntries, bodyOf, type EntryShape, type ObjectShape } from "../../shape/shape.ts";

/** The values of sensitive and write-only attributes that a call has received or produced; they are masked in log lines and messages. */
export class Secrets extends HiddenTexts {
  /** Adds the secrets in a value. They are collected lazily, when the first text is masked. */
  add(shape: ObjectShape, value: Value): void {
    if (holdsSecrets(shape)) this.addTexts(() => textsIn(shape, value.type, value.payload, false));
  }
}

const known = new WeakMap<ObjectShape, boolean>();

/** Whether values of a shape can hold secrets. */
function holdsSecrets(shape: ObjectShape): boolean {
  let holds = known.get(shape);
  if (holds === undefined) {
    holds = shape.entries.some((entry) => entry.sensitive || entry.writeOnly || (hasEntries(entry) && holdsSecrets(bodyOf(entry))));
    known.set(shape, holds);
  }
  return holds;
}

function* textsIn(shape: ObjectShape, type: Type, payload: Payload, sensitive: boolean): Generator<string> {
  if (payload === null || isUnknownPayload(payload) || type.kind !== "object") return;
  for (const entry of shape.entries)
    yield* textsOfEntry(entry, type.attributes[entry.name]!, (payload as readonly Payload[])[entry.slot]!, sensitive);
}

function* textsOfEntry(entry: EntryShape, type: Type, payload: Payload, inherited: boolean): Generator<string> {
  const sensitive = inherited || entry.sensitive || entry.writeOnly;
  if (!hasEntries(entry)) {
    if (sensitive) yield* textsOf(payload);
    return;
  }
  const body = bodyOf(entry);
  if (Array.isArray(payload) && (entry.nesting === "list" || entry.nesting === "set")) {
    for (const element of payload as readonly Payload[]) yield* textsIn(body, body.type, element, sensitive);
  } else if (payload instanceof Map) {
    for (const element of payload.values()) yield* textsIn(body, body.type, element, sensitive);
  } else yield* textsIn(body, type, payload, sensitive);
}
