// SPDX-License-Identifier: Apache-2.0
import {
  attributeStep,
  CtyError,
  get,
  indexStep,
  isKnown,
  isNull,
  testConformance,
  unknown,
  unmark,
  type Path,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { elements } from "@tenon/cty/operators";
import { goQuote } from "@tenon/cty/unstable/payload";
import type { Body, Diagnostic } from "@tenon/hcl";
import { attributeType, impliedType, nestedBlockType, type Block, type NestedBlock } from "@tenon/schema";
import { rangeOfAttribute } from "../provider/provider-diagnostic.ts";

/**
 * Converts the value of a body to the type of its schema. The conversion of an unknown collection can leave the elements with their own type:
 * a set of maps becomes a list of maps where objects are wanted. Attributes that cannot be converted are errors, and the value is then unknown.
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
  const converted = conversion(value, type);
  if (typeof converted !== "string") return { value: converted, diagnostics: [] };
  const diagnostics = [...unconvertible(value, schema, [])].map(({ path, name, reason }) => {
    const subject = rangeOfAttribute(body, path);
    const detail = `Inappropriate value for attribute ${goQuote(name)}: ${reason}.`;
    return { severity: "error" as const, summary: "Incorrect attribute value type", detail, ...(subject && { subject }) };
  });
  return { value: unknown(type), diagnostics };
}

/** The converted value, or the reason why there is none. */
function conversion(value: Value, type: Type): Value | string {
  try {
    return convert(value, type);
  } catch (error) {
    if (error instanceof CtyError) return error.message;
    throw error;
  }
}

/** An attribute or a block whose value cannot be converted. */
interface Unconvertible {
  readonly path: Path;
  readonly name: string;
  readonly reason: string;
}

/** The attributes and nested blocks of a block that cannot be converted. */
function* unconvertible(value: Value, schema: Block, path: Path): Generator<Unconvertible> {
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    const reason = conversion(get(value, name), attributeType(attribute));
    if (typeof reason === "string") yield { path: [...path, attributeStep(name)], name, reason };
  }
  for (const [name, nested] of Object.entries(schema.blocks)) {
    const blocks = get(value, name);
    const reason = conversion(blocks, nestedBlockType(nested));
    if (typeof reason !== "string") continue;
    const at = [...path, attributeStep(name)];
    const inner = [...unconvertibleInBlocks(unmark(blocks)[0], nested, at)];
    yield* inner.length > 0 ? inner : [{ path: at, name, reason }];
  }
}

function* unconvertibleInBlocks(blocks: Value, { nesting, block }: NestedBlock, path: Path): Generator<Unconvertible> {
  if (!isKnown(blocks) || isNull(blocks)) return;
  if (nesting === "single" || nesting === "group") yield* unconvertible(blocks, block, path);
  else for (const [key, element] of elements(blocks)) yield* unconvertible(element, block, [...path, indexStep(key)]);
}
