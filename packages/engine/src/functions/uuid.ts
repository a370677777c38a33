// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { CtyError, of, string } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";
import type { FunctionEnvironment } from "./environment.ts";
import { quotedPrefix } from "./quoted-prefix.ts";

/**
 * A function without arguments that returns a random UUID as `hashicorp/go-uuid` does: 16 random bytes, including the version and variant
 * bits.
 *
 * @see OpenTofu funcs.UUIDFunc
 */
export function uuidFunction({ randomBytes }: Pick<FunctionEnvironment, "randomBytes">): CtyFunction {
  return defineFunction({
    description: "Returns a new random identifier in the form of a UUID.",
    type: string,
    refineResult: { notNull: true },
    impl: () => of(string, uuidText(randomBytes(16))),
  });
}

/** The namespaces with predefined names. @see RFC 9562, appendix B */
const namespaces: Readonly<Record<string, string>> = {
  dns: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  url: "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
  oid: "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
  x500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
};

/**
 * The name-based UUID (version 5) of a namespace and a name.
 *
 * @see OpenTofu funcs.UUIDV5Func
 */
export const uuidV5Function: CtyFunction = defineFunction({
  description: "Returns the name-based UUID, version 5, of a namespace and a name.",
  params: [
    { name: "namespace", type: string },
    { name: "name", type: string },
  ],
  type: string,
  refineResult: { notNull: true },
  impl: ([namespaceValue, name]) => {
    const namespace = stringOf(namespaceValue);
    const bytes = namespaceBytes(Object.hasOwn(namespaces, namespace) ? namespaces[namespace]! : namespace, namespace);
    const digest = createHash("sha1").update(bytes).update(stringOf(name)).digest().subarray(0, 16);
    digest[6] = (digest[6]! & 0x0f) | 0x50;
    digest[8] = (digest[8]! & 0x3f) | 0x80;
    return of(string, uuidText(digest));
  },
});

/** Reads a UUID in one of the four forms that google/uuid accepts: plain, `urn:uuid:`, in braces, without dashes. */
function namespaceBytes(text: string, given: string): Uint8Array {
  const refuse = (reason: string): never => {
    throw new CtyError("INVALID_VALUE", `uuidv5() doesn't support namespace ${given} (${reason})`);
  };
  const length = Buffer.byteLength(text);
  let digits = text;
  if (length === 36 + 9) {
    if (digits.slice(0, 9).toLowerCase() !== "urn:uuid:") refuse(`invalid urn prefix: ${quotedPrefix(digits, 9)}`);
    digits = digits.slice(9);
  } else if (length === 36 + 2) {
    digits = digits.slice(1, 37);
  } else if (length !== 36 && length !== 32) {
    refuse(`invalid UUID length: ${length}`);
  }
  const pattern = length === 32 ? /^[0-9a-f]{32}$/i : /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  if (!pattern.test(digits)) refuse("invalid UUID format");
  return Buffer.from(digits.replaceAll("-", ""), "hex");
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
