// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { isUnknownPayload, mapPayload, setPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { GenerateResourceConfigRequest, GenerateResourceConfigResponse } from "@tenon/schema";
import { emptyEntry, objectValue } from "../../conversion/encode.ts";
import { hasContent, partOf } from "../../shape/part.ts";
import { bodyOf, hasEntries, type EntryShape, type ObjectShape } from "../../shape/shape.ts";
import { aboutResource, rpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";

/** Generates a configuration that produces the recorded state, for an imported resource. @see rule 44 in test/rules */
export const generateResourceConfig: Rpc<GenerateResourceConfigRequest, GenerateResourceConfigResponse> = rpc({
  name: "GenerateResourceConfig",
  logFields: aboutResource,
  run: (instance, { typeName, state }) => {
    const { shape } = instance.resource(typeName);
    requireConforming(shape, state, `the state of ${typeName}`);
    return { config: hasContent(state) ? configOf(shape, state, true) : state };
  },
  failed: () => ({}),
});

function configOf(shape: ObjectShape, state: Value, atRoot: boolean): Value {
  return objectValue(
    shape,
    shape.entries.map((entry) => {
      const part = partOf(state, entry);
      return isOmitted(entry, part, atRoot) ? emptyEntry(entry) : configOfEntry(entry, part);
    }),
  );
}

/**
 * Whether a practitioner would omit the entry: the provider sets it, it is deprecated, it is an id that the provider can choose, or an empty text. An
 * entry with a default is not omitted for these two reasons, because the default may be another value.
 */
function isOmitted(entry: EntryShape, part: Value, atRoot: boolean): boolean {
  if (!entry.configurable || entry.deprecated !== undefined || !hasContent(part)) return true;
  if (entry.default !== undefined) return false;
  if (atRoot && entry.name === "id" && entry.optional && entry.computed) return true;
  return entry.optional && part.payload === "";
}

function configOfEntry(entry: EntryShape, part: Value): Value {
  if (!hasEntries(entry)) return part;
  const body = bodyOf(entry);
  const { type, payload } = part;
  const element = (one: Payload): Payload =>
    one === null || isUnknownPayload(one) ? one : configOf(body, valueOf(body.type, one), false).payload;
  switch (entry.nesting) {
    case "list":
      return valueOf(type, (payload as readonly Payload[]).map(element));
    case "set":
      return valueOf(type, setPayload(body.type, (payload as readonly Payload[]).map(element)));
    case "map":
      return valueOf(type, mapPayload([...(payload as ReadonlyMap<string, Payload>)].map(([key, one]) => [key, element(one)])));
    default:
      return configOf(body, part, false);
  }
}
