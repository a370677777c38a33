// SPDX-License-Identifier: Apache-2.0
import type { Path } from "./path-step.ts";
import type { BoolType, Type } from "./type.ts";
import type { Value } from "./value.ts";

/** What a capsule type can do beyond being passed around; all of it optional. @see go-cty CapsuleOps */
export interface CapsuleOps<Native = unknown> {
  /** Three-valued equality; without it {@link rawEquals}, and without that identity. */
  readonly equals?: (a: Native, b: Native) => Value<BoolType>;
  /** Exact equality of two natives. */
  readonly rawEquals?: (a: Native, b: Native) => boolean;
  /** A string equal for equal natives: needed for sets to find members quickly. */
  readonly hashKey?: (native: Native) => string;
  readonly goString?: (native: Native) => string;
  readonly typeGoString?: () => string;
  /** How to convert a value of `target` from this capsule; undefined where it cannot be. */
  readonly conversionTo?: (target: Type) => ((native: Native, path: Path) => Value) | undefined;
  /** How to convert a value of `source` to this capsule; undefined where it cannot be. */
  readonly conversionFrom?: (source: Type) => ((value: Value, path: Path) => Native) | undefined;
  /** JSON text of a native, and back; without them JSON refuses the type. */
  readonly toJson?: (native: Native) => string;
  readonly fromJson?: (text: string) => Native;
  /** Whatever other libraries keep with the type, by their key. */
  readonly extensionData?: (key: unknown) => unknown;
}
