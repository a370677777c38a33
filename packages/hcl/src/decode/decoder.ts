// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Body } from "../body/body.ts";
import type { Scope } from "../evaluate/scope.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { BlockLabel } from "./source-range.ts";
import type { Spec } from "./spec.ts";

/** One decoding, as the files for the kinds of block spec see it. */
export interface Decoder {
  /** All that was found wrong so far, in order. */
  readonly diagnostics: Diagnostic[];
  readonly scope: Scope | undefined;
  /** What a spec makes of the body of a block. */
  ofBody(body: Body, labels: readonly BlockLabel[], spec: Spec): Value;
}
