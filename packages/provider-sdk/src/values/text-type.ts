// SPDX-License-Identifier: Apache-2.0
import { attr, type AttributeConstructors } from "../definition/attribute.ts";
import type { AttributeOptions } from "../definition/attribute-options.ts";

/** A constructor of attributes for text in a certain format, with the options of `attr.string`. */
export type TextType = AttributeConstructors["string"];

/**
 * Defines a text type: its validators, and when two texts are equivalent. The validators of an attribute run in addition; its own
 * `equivalent` replaces that of the type.
 *
 * @example
 * const hostName = textType({ equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
 * hostName({ required: true }).kind
 * // => "string"
 */
export function textType(kind: Pick<AttributeOptions<string>, "validators" | "equivalent">): TextType {
  const make = (options: AttributeOptions<string> = {}): object =>
    attr.string({ ...kind, ...options, validators: [...(kind.validators ?? []), ...(options.validators ?? [])] });
  // The mode that the options define exists in the types only.
  return make as unknown as TextType;
}
