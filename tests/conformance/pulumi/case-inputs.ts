// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "@tenon/bridge/pulumi";
import type { CaseObject } from "./diff-case.ts";

/** Key and signature of a secret on the engine's wire. */
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Text that stands for an unknown value on the engine's wire. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** All texts that stand for unknown values, by kinds. @see pulumi sdk/go/common/resource/plugin/rpc.go */
export const unknownTexts: ReadonlySet<string> = new Set([
  unknownText,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);

/** Converts a configuration of a case to inputs as the engine sends them. */
export function inputsOf(mapping: ObjectMapping, config: CaseObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([attribute, value]) => {
      const property = mapping.byAttribute.get(attribute);
      if (property === undefined) throw new Error(`the schema has no attribute ${JSON.stringify(attribute)}`);
      return [property.property, inputOf(property.value, value)];
    }),
  );
}

function inputOf(mapping: ValueMapping, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("$unknown" in value) return unknownText;
  if ("$secret" in value) return { [signatureKey]: secretSignature, value: inputOf(mapping, value.$secret) };
  switch (mapping.kind) {
    case "only": {
      const [only] = value as readonly unknown[];
      return only === undefined ? null : inputOf(mapping.element, only);
    }
    case "object":
      return inputsOf(mapping.object, value as CaseObject);
    case "map":
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inputOf(mapping.element, part)]));
    case "list":
    case "set":
    case "tuple":
      return (value as readonly unknown[]).map((part, index) => inputOf(mapping.elements[index] ?? mapping.elements[0]!, part));
    default:
      return value;
  }
}

/** Removes the mark of a secret from a value on the engine's wire. */
export function unwrapped(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(signatureKey in value)) return value;
  return value[signatureKey] === secretSignature && "value" in value ? unwrapped(value.value) : value;
}

/** Whether a value on the engine's wire has no parts. */
export function isPropertyPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
