// SPDX-License-Identifier: Apache-2.0
import { convert } from "@tenon/cty/convert";
import { decode, encode } from "@tenon/cty/json";
import { ProviderError } from "../error.ts";
import { identityType } from "../model/identity-type.ts";
import { impliedType } from "../model/implied-type.ts";
import { createResourceObject, type ResourceObject } from "./resource-object.ts";
import type { ResourceType } from "./resource-type.ts";

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A {@link ResourceObject} as plain JSON, to be kept between two runs of a program. */
export interface EncodedObject {
  readonly schemaVersion: number;
  /** JSON text of the value: numbers keep all their digits. */
  readonly value: string;
  /** Base64. */
  readonly private: string;
  readonly status: "ready" | "tainted";
  /** JSON text of the identity; absent where the object has no identity. */
  readonly identity?: string;
  readonly identitySchemaVersion?: number;
}

/**
 * Encodes an object as plain JSON. Sensitive values are not masked.
 *
 * @throws CtyError `UNSUPPORTED` for a value that is not wholly known.
 */
export function encodeObject(type: ResourceType, object: ResourceObject): EncodedObject {
  const { identitySchema } = type;
  return {
    schemaVersion: object.schemaVersion,
    value: encode(object.value, impliedType(type.schema.block), { convert }),
    private: Buffer.from(object.private).toString("base64"),
    status: object.status,
    ...(identitySchema && object.identity
      ? { identity: encode(object.identity, identityType(identitySchema), { convert }), identitySchemaVersion: identitySchema.version }
      : {}),
  };
}

/**
 * Decodes the result of {@link encodeObject}. An object of another schema version, or of another version of the identity schema, must be
 * upgraded instead.
 *
 * @throws ProviderError `INVALID_REQUEST` for another version; CtyError `MALFORMED` where the value does not fit the schema.
 */
export function decodeObject(type: ResourceType, encoded: EncodedObject): ResourceObject {
  const { schema, identitySchema } = type;
  if (encoded.schemaVersion !== schema.version) throw otherVersion(type, "state", encoded.schemaVersion, schema.version);
  if (identitySchema && encoded.identity !== undefined && encoded.identitySchemaVersion !== identitySchema.version) {
    throw otherVersion(type, "identity", encoded.identitySchemaVersion ?? 0, identitySchema.version);
  }
  return createResourceObject({
    value: decode(encoded.value, impliedType(schema.block)),
    private: new Uint8Array(Buffer.from(encoded.private, "base64")),
    identity: identitySchema && encoded.identity !== undefined ? decode(encoded.identity, identityType(identitySchema)) : undefined,
    status: encoded.status,
    schemaVersion: schema.version,
  });
}

function otherVersion(type: ResourceType, what: string, stored: number, current: number): ProviderError {
  return new ProviderError(
    "INVALID_REQUEST",
    `the stored ${what} of ${type.typeName} is of schema version ${stored}, and not ${current}: use upgradeObject`,
  );
}
