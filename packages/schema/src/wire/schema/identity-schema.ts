// SPDX-License-Identifier: Apache-2.0
import type { IdentitySchema } from "../../model/identity-schema.ts";
import { readInteger, writeInteger } from "../kind/scalar.ts";
import { byName, inOrder } from "./by-name.ts";
import { mapKind } from "./map-kind.ts";
import { readType, writeType } from "./type.ts";

interface IdentitySchemaWire {
  readonly version: bigint;
  readonly identityAttributes: readonly IdentityAttributeWire[];
}
interface IdentityAttributeWire {
  readonly name: string;
  readonly type: Uint8Array;
  readonly requiredForImport: boolean;
  readonly optionalForImport: boolean;
  readonly description: string;
}

/** Identity schemas by resource type. */
export const identitySchemas: ReturnType<
  typeof mapKind<IdentitySchema, IdentitySchemaWire, { version: bigint; identityAttributes: IdentityAttributeWire[] }>
> = mapKind(
  (wire) => ({
    version: readInteger(wire.version),
    attributes: byName(
      wire.identityAttributes,
      (attribute) => attribute.name,
      (attribute) => ({
        type: readType(attribute.type),
        requiredForImport: attribute.requiredForImport,
        optionalForImport: attribute.optionalForImport,
        description: attribute.description,
      }),
    ),
  }),
  (model) => ({
    version: writeInteger(model.version),
    identityAttributes: inOrder(model.attributes, (name, attribute) => ({
      name,
      type: writeType(attribute.type),
      requiredForImport: attribute.requiredForImport,
      optionalForImport: attribute.optionalForImport,
      description: attribute.description,
    })),
  }),
);
