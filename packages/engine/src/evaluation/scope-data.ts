// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { ResourceBlock } from "../configuration/resource.ts";

/** Values that depend on the block of an expression. */
export interface ScopeData {
  /** `count.index` */
  readonly countIndex?: Value;
  /** `each.key` */
  readonly eachKey?: Value;
  /** `each.value`; absent for an instance whose key is no longer in `for_each`. */
  readonly eachValue?: Value;
  /** `self` */
  readonly self?: Value;
  /** The resource whose instance `self` is. Present only if attributes in references are validated. */
  readonly selfBlock?: ResourceBlock;
  /** Name of the `check` block, whose own data source the expression may refer to. */
  readonly check?: string;
}

/** The data of a block that is not repeated. */
export const noScopeData: ScopeData = Object.freeze({});
