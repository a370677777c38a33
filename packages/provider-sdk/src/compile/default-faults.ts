// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { decodeEntry } from "../conversion/decode.ts";
import type { EntryShape } from "../shape/shape.ts";
import { runValidators, validateInside, type PendingDiagnostics } from "../validation/value-validation.ts";

/** Checks a default with the validators of its entry, because no configuration could correct it. Ignores asynchronous validators. */
export function* defaultFaults(entry: EntryShape, value: Value): Generator<string> {
  if (value.payload === null || !isWhollyKnown(value)) return;
  const found: PendingDiagnostics = [];
  validateInside(entry.shape, value.type, value.payload, [entry.step], false, found);
  runValidators(entry.validators, decodeEntry(entry, value, "configDraft").value, [entry.step], false, found);
  for (const one of found) {
    // A promise settles after the definition. Its rejection is reported when a configuration is validated.
    if (one instanceof Promise) one.catch(() => {});
    else if (one.severity === "error") yield `its own validator rejects the default: ${one.detail.replaceAll(/\s+/g, " ")}`;
  }
}
