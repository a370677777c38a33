// SPDX-License-Identifier: Apache-2.0
import { attr, type AttributeConstructors } from "../definition/attribute.ts";
import type { AttributeOptions } from "../definition/attribute-options.ts";

/** Makes attributes of text that has a form of its own, with the options of `attr.string`. */
export type TextType = AttributeConstructors["string"];

/**
 * A kind of text: what it must look like, and when two texts mean the same. What an attribute says itself comes on top; its own
 * `equivalent` takes the place of the kind's.
 *
 * @example
 * const hostName = textType({ equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
 * hostName({ required: true }).kind
 * // => "string"
 */
export function textType(kind: Pick<AttributeOptions<string>, "validators" | "equivalent">): TextType {
  const make = (options: AttributeOptions<string> = {}): object =>
    attr.string({ ...kind, ...options, validators: [...(kind.validators ?? []), ...(options.validators ?? [])] } as never);
  // What the options say of the type is seen by the caller's compiler only.
  return make as unknown as TextType;
}
