// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";

/** "JSON.parse source text access" of ECMAScript, which TypeScript's library does not declare yet. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}

const exactJson = JSON as unknown as ExactJson;

/** Removes attributes from stored state that its type does not have, so that it can be decoded. Bytes that need no change, or are not JSON, are returned unchanged. Numbers keep their digits.
 *
 * @see OpenTofu upgrade_resource_state.go, stripRemovedStateAttributes
 */
export function stripRemovedAttributes(json: Uint8Array, type: Type): Uint8Array {
  const text = new TextDecoder().decode(json);
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    // The decoder reports a better error.
    return json;
  }
  if (!strip(state, type)) return json;
  const exact = exactJson.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source ? exactJson.rawJSON(source) : value,
  );
  strip(exact, type);
  return new TextEncoder().encode(JSON.stringify(exact));
}

/** Removes attributes in place. Returns whether it removed any. */
function strip(state: unknown, type: Type): boolean {
  if (Array.isArray(state)) {
    return (type.kind === "list" || type.kind === "set") && state.map((element) => strip(element, type.element)).includes(true);
  }
  if (!isRecord(state)) return false;
  if (type.kind === "map")
    return Object.values(state)
      .map((element) => strip(element, type.element))
      .includes(true);
  if (type.kind !== "object") return false;
  let changed = false;
  for (const [name, value] of Object.entries(state)) {
    const attribute = type.attributes[name];
    if (attribute === undefined) {
      delete state[name];
      changed = true;
    } else if (strip(value, attribute)) {
      changed = true;
    }
  }
  return changed;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
