// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";

/** What identifies a resource in the remote system, apart from its state. Protocol 6.9 and 5.9. */
export interface IdentitySchema {
  readonly version: number;
  readonly attributes: Readonly<Record<string, IdentityAttribute>>;
}

/** Primitive, or a list of a primitive type. */
export interface IdentityAttribute {
  readonly type: Type;
  /** Must be given to import by identity. */
  readonly requiredForImport: boolean;
  /** May be given to import by identity. */
  readonly optionalForImport: boolean;
  readonly description: string;
}
