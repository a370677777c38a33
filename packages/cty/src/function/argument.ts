// SPDX-License-Identifier: Apache-2.0
import type { Type } from "../model/type.ts";

/** What a function accepts for one of its arguments. {@link CtyFunction.call} handles all other arguments before it runs the function. */
export interface Parameter {
  /** The parameter's name, for messages and documentation. */
  readonly name: string;
  readonly description?: string;
  /** The type that the argument's type must conform to. {@link dynamic} accepts any type, also inside other types. */
  readonly type: Type;
  /** Whether the function accepts null. Otherwise a null argument is an error. Default false. */
  readonly allowNull?: boolean;
  /** Whether the implementation accepts unknown values. Otherwise the result is unknown. Default false. */
  readonly allowUnknown?: boolean;
  /**
   * Whether the type function accepts values of unknown type. Otherwise the result is of unknown type. The implementation receives
   * such values only if {@link allowUnknown} is set too, because they are unknown. Default false.
   */
  readonly allowDynamicType?: boolean;
  /** Whether the function accepts marked values. Otherwise the marks are removed from the argument and put on the result. Default false. */
  readonly allowMarked?: boolean;
}
