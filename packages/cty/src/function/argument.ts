// SPDX-License-Identifier: Apache-2.0
import type { Type } from "../type.ts";

/** What a function wants one of its arguments to be. Everything that is not allowed is dealt with before the function sees it. */
export interface Parameter {
  /** For messages and documentation. */
  readonly name: string;
  readonly description?: string;
  /** What the argument's type must conform to: {@link dynamic} stands for any type, also inside others. */
  readonly type: Type;
  /** Hand null over, instead of refusing it. Default false. */
  readonly allowNull?: boolean;
  /** Hand unknown values over to the implementation, instead of answering with an unknown value. Default false. */
  readonly allowUnknown?: boolean;
  /**
   * Hand values of unknown type over to the type function, instead of answering with a value of unknown type. To the
   * implementation they go only with {@link allowUnknown}: they are unknown. Default false.
   */
  readonly allowDynamicType?: boolean;
  /** Hand marks over, instead of taking them off and putting them on the result. Default false. */
  readonly allowMarked?: boolean;
}
