// SPDX-License-Identifier: Apache-2.0
import { of, string, type Value } from "@tenon/cty";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";
import { goQuote } from "@tenon/cty/unstable/payload";
import { decodeBase64 } from "./base64.ts";
import { charsetCodec, type CharsetCodec } from "./charset-codec.ts";

function codecOf(encoding: Value): CharsetCodec {
  const name = stringOf(encoding);
  const codec = charsetCodec(name);
  if (codec !== undefined) return codec;
  throw argumentError(1, `${goQuote(name)} is not a supported IANA encoding name or alias in this OpenTofu version`);
}

/**
 * The function `textencodebase64`: encodes text in a character set, and the bytes in Base64.
 *
 * @see OpenTofu funcs.TextEncodeBase64Func
 */
export const textEncodeBase64Function: CtyFunction = defineFunction({
  description: "Encodes a text in a character set, and the result in Base64.",
  params: [
    { name: "string", type: string },
    { name: "encoding", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([text, encoding]) => {
    const codec = codecOf(encoding);
    const bytes = codec.encode(stringOf(text));
    if (bytes !== undefined) return of(string, Buffer.from(bytes).toString("base64"));
    throw argumentError(0, `the given string contains characters that cannot be represented in ${codec.name}`);
  },
});

/**
 * The function `textdecodebase64`: decodes a Base64 string to text in a character set.
 *
 * @see OpenTofu funcs.TextDecodeBase64Func
 */
export const textDecodeBase64Function: CtyFunction = defineFunction({
  description: "Decodes a Base64 string to the text that its bytes stand for in a character set.",
  params: [
    { name: "source", type: string },
    { name: "encoding", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([source, encoding]) => {
    const codec = codecOf(encoding);
    const bytes = decodeBase64(stringOf(source));
    if (!(bytes instanceof Uint8Array)) {
      // The text, including "is has", is OpenTofu's.
      throw argumentError(0, `the given value is has an invalid base64 symbol at offset ${bytes.offset}`);
    }
    const text = codec.decode(bytes);
    if (text !== undefined) return of(string, text);
    throw argumentError(0, `the given string contains symbols that are not defined for ${codec.name}`);
  },
});
