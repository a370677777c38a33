// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";

/** Schema of the identity of a resource in the remote system, which is separate from the state. Since protocol 6.9 and 5.9. */
export interface IdentitySchema {
  readonly version: number;
  readonly attributes: Readonly<Record<string, IdentityAttribute>>;
}

/** Attribute of an identity: of a primitive type, or of a list of a primitive type. */
export interface IdentityAttribute {
  readonly type: Type;
  /** Whether an import by identity must have the attribute. */
  readonly requiredForImport: boolean;
  /** Whether an import by identity may have the attribute. */
  readonly optionalForImport: boolean;
  readonly description: string;
}
