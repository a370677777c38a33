// SPDX-License-Identifier: Apache-2.0
import type { Path } from "./path.ts";
import type { BoolType, Type } from "./type.ts";
import type { Value } from "./value.ts";

/** Operations on the native values of a capsule type. All are optional. @see go-cty CapsuleOps */
export interface CapsuleOps<Native = unknown> {
  /** Three-valued equality. Defaults to {@link rawEquals}, and then to identity. */
  readonly equals?: (a: Native, b: Native) => Value<BoolType>;
  /** Exact equality of two natives. Defaults to identity. */
  readonly rawEquals?: (a: Native, b: Native) => boolean;
  /** A string that is the same for equal natives. Sets use it to look up elements. */
  readonly hashKey?: (native: Native) => string;
  /** Text of a native in Go's `%#v` notation. */
  readonly goString?: (native: Native) => string;
  /** Text of the type in Go's `%#v` notation. */
  readonly typeGoString?: () => string;
  /** Returns the conversion from this capsule type to `target`, or undefined if there is none. */
  readonly conversionFrom?: (target: Type) => ((native: Native, path: Path) => Value) | undefined;
  /** Returns the conversion from `source` to a native of this capsule type, or undefined if there is none. */
  readonly conversionTo?: (source: Type) => ((value: Value, path: Path) => Native) | undefined;
  /** Writes a native as JSON text. Without it, the type cannot be encoded as JSON. */
  readonly toJson?: (native: Native) => string;
  /** Reads a native from JSON text. Without it, the type cannot be decoded from JSON. */
  readonly fromJson?: (text: string) => Native;
  /** Returns data that another library attached to the type under a key of its own. */
  readonly extensionData?: (key: unknown) => unknown;
}
