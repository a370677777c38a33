// SPDX-License-Identifier: Apache-2.0
import {
  attributeStep,
  CtyError,
  get,
  indexStep,
  isKnown,
  isNull,
  objectOf,
  testConformance,
  unknown,
  unmark,
  unmarkDeep,
  withMarks,
  withoutOptionalAttributes,
  type Path,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { elements } from "@tenon/cty/operators";
import { goQuote, valueOf } from "@tenon/cty/unstable/payload";
import type { Body, Diagnostic } from "@tenon/hcl";
import { configType, impliedType, type Block, type NestedBlock } from "@tenon/schema";
import { rangeOfAttribute } from "../provider/provider-diagnostic.ts";

/**
 * Converts the value of a body to the type of its schema. The conversion of an unknown collection can leave the elements with their own type:
 * a set of maps becomes a list of maps where objects are wanted. An attribute that cannot be converted is an error, and its value is unknown.
 *
 * @see go-cty msgpack.Marshal, which converts values that do not have the type, and whose error names no place in the configuration
 */
export function convertToSchema(
  value: Value,
  schema: Block,
  body: Body,
): { readonly value: Value; readonly diagnostics: readonly Diagnostic[] } {
  const type = impliedType(schema);
  if (value.type === type || testConformance(value.type, type).length === 0) return { value, diagnostics: [] };
  const wanted = configType(schema);
  const parts = new Map<string, Value>();
  for (const name of wanted.names) {
    const part = get(value, name);
    const converted = conversion(part, wanted.attributes[name]!);
    parts.set(name, typeof converted === "string" ? withMarks(unknown(type.attributes[name]!), unmarkDeep(part)[1]) : converted);
  }
  const diagnostics = new Map<string, Diagnostic>();
  for (const { path, kind, name, reason } of unconvertible(value, schema, [])) {
    const subject = rangeOfAttribute(body, path);
    const detail = `Inappropriate value for ${kind} ${goQuote(name)}: ${reason}.`;
    // The elements of a set of blocks have the same place.
    const key = JSON.stringify([subject, detail]);
    diagnostics.set(key, { severity: "error", summary: "Incorrect attribute value type", detail, ...(subject && { subject }) });
  }
  return { value: objectOf(parts), diagnostics: [...diagnostics.values()] };
}

/** The value with a type, but for its optional attributes, or the reason why it cannot be converted. */
function conversion(value: Value, type: Type): Value | string {
  const wanted = withoutOptionalAttributes(type);
  try {
    const converted = convert(value, type);
    const { payload } = converted;
    // The elements of an unknown collection can be converted, but keep their own type if they lack optional attributes.
    if (!isKnown(unmark(converted)[0])) return valueOf(wanted, payload);
    const plain = valueOf(withoutOptionalAttributes(converted.type), payload);
    return testConformance(plain.type, wanted).length === 0 ? plain : convert(plain, wanted);
  } catch (error) {
    if (error instanceof CtyError) return error.message;
    throw error;
  }
}

/** An attribute or a block whose value cannot be converted. */
interface Unconvertible {
  readonly path: Path;
  readonly kind: "attribute" | "block";
  readonly name: string;
  readonly reason: string;
}

/** The attributes and nested blocks of a block that cannot be converted. */
function* unconvertible(value: Value, schema: Block, path: Path): Generator<Unconvertible> {
  const { attributes: types } = configType(schema);
  for (const name of Object.keys(schema.attributes)) {
    const reason = conversion(get(value, name), types[name]!);
    if (typeof reason === "string") yield { path: [...path, attributeStep(name)], kind: "attribute", name, reason };
  }
  for (const [name, nested] of Object.entries(schema.blocks)) {
    const blocks = get(value, name);
    const reason = conversion(blocks, types[name]!);
    if (typeof reason !== "string") continue;
    const at = [...path, attributeStep(name)];
    const inner = [...unconvertibleInBlocks(unmark(blocks)[0], nested, at)];
    yield* inner.length > 0 ? inner : [{ path: at, kind: "block" as const, name, reason }];
  }
}

function* unconvertibleInBlocks(blocks: Value, { nesting, block }: NestedBlock, path: Path): Generator<Unconvertible> {
  if (!isKnown(blocks) || isNull(blocks)) return;
  if (nesting === "single" || nesting === "group") yield* unconvertible(blocks, block, path);
  else for (const [key, element] of elements(blocks)) yield* unconvertible(element, block, [...path, indexStep(key)]);
}
