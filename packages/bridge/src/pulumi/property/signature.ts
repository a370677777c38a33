// SPDX-License-Identifier: Apache-2.0
import type { UnknownKind } from "./property-value.ts";

/** Property by which an object on the wire represents a special value. Its value is the signature of the kind. */
export const signatureKey = "4dabf18193072939515e22adb298388d";

/**
 * Signatures of the special kinds.
 *
 * @see pulumi sdk/go/common/resource/sig/sig.go
 */
export const signatures = {
  secret: "1b47061264138c4ac30d75fd1eb44270",
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
  asset: "c44067f5952c0a294b673a41bacd8c17",
  archive: "0def7320c3a5731c473e5ecbe6d01bc7",
  bytes: "803fd3297a5875dc03ca845dda5d2a98",
} as const;

/**
 * Texts that represent unknown values on the wire, by kind.
 *
 * @see pulumi sdk/go/common/resource/plugin/rpc.go
 */
export const unknownTexts: Readonly<Record<UnknownKind, string>> = {
  string: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  bool: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  number: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  array: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  object: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  asset: "030794c1-ac77-496b-92df-f27374a8bd58",
  archive: "e48ece36-62e2-4504-bad9-02848725956a",
};

const kindsByText: ReadonlyMap<string, UnknownKind> = new Map(
  Object.entries(unknownTexts).map(([kind, text]) => [text, kind as UnknownKind]),
);

/** Returns the kind of the unknown value that a text represents; undefined for any other text. */
export function unknownKindOf(text: string): UnknownKind | undefined {
  return text.length === 36 ? kindsByText.get(text) : undefined;
}
