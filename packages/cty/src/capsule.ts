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
  /** For this capsule as the source of a conversion: how to make a value of `target` of it; undefined where that cannot be. */
  readonly conversionFrom?: (target: Type) => ((native: Native, path: Path) => Value) | undefined;
  /** For this capsule as the target of a conversion: how to make a native of a value of `source`; undefined where that cannot be. */
  readonly conversionTo?: (source: Type) => ((value: Value, path: Path) => Native) | undefined;
  /** JSON text of a native, and back; without them JSON refuses the type. */
  readonly toJson?: (native: Native) => string;
  readonly fromJson?: (text: string) => Native;
  /** Whatever other libraries keep with the type, by their key. */
  readonly extensionData?: (key: unknown) => unknown;
}
