// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import { isApiVersion } from "./kind-version.ts";
import type { ResourceRules } from "./resource-rules.ts";

/**
 * Checks data from outside, such as a parsed file, and returns it as rules by resource type.
 *
 * @throws BridgeError `INVALID_ARGUMENTS` with the place of the first error.
 */
export function readResourceRules(data: unknown): Readonly<Record<string, ResourceRules>> {
  record({ each: resourceRules })(data, "rules");
  return data as Readonly<Record<string, ResourceRules>>;
}

/** Throws unless the value is valid. */
type Check = (value: unknown, place: string) => void;

const text: Check = (value, place) => expect(typeof value === "string", place, "a string");
const flag: Check = (value, place) => expect(typeof value === "boolean", place, "true or false");
const texts: Check = (value, place) => {
  expect(Array.isArray(value), place, "a list of strings");
  for (const [index, element] of (value as readonly unknown[]).entries()) text(element, `${place}[${index}]`);
};

/** Checks an object: with `fields`, each known field by its own check; with `each`, all fields by one check. */
function record(
  checks: { readonly fields: Readonly<Record<string, Check>>; readonly required?: readonly string[] } | { readonly each: Check },
): Check {
  return (value, place) => {
    expect(typeof value === "object" && value !== null && !Array.isArray(value), place, "an object");
    for (const [name, part] of Object.entries(value as object)) {
      const check = "each" in checks ? checks.each : Object.hasOwn(checks.fields, name) ? checks.fields[name] : undefined;
      if (check === undefined) {
        const known = "fields" in checks ? Object.keys(checks.fields).join(", ") : "";
        throw new BridgeError("INVALID_ARGUMENTS", `${place} has an unknown field ${name}; the known fields are ${known}`);
      }
      check(part, `${place}.${name}`);
    }
    if (!("fields" in checks)) return;
    for (const name of checks.required ?? []) expect(Object.hasOwn(value as object, name), `${place}.${name}`, "set");
  };
}

const versionName: Check = (value, place) =>
  expect(typeof value === "string" && isApiVersion(value), place, "the name of a version, such as v1, v1beta2 or v1alpha1");

const resourceRules: Check = record({
  fields: {
    kind: text,
    externalName: record({ fields: { attribute: text, isArgument: flag, importId: text } }),
    references: record({ each: record({ fields: { type: text, attribute: text }, required: ["type"] }) }),
    skipLateInitialization: texts,
    immutable: texts,
    asynchronous: flag,
    notFoundErrors: texts,
    version: versionName,
    moves: record({ fields: { renamed: record({ each: text }), removed: texts } }),
  },
});

function expect(holds: boolean, place: string, what: string): void {
  if (!holds) throw new BridgeError("INVALID_ARGUMENTS", `${place} must be ${what}`);
}
