// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Body } from "../body/body.ts";
import type { Scope } from "../syntax/scope.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { BlockLabel } from "./source-range.ts";
import type { Spec } from "./spec.ts";

/** One decoding, for the functions that decode the kinds of block specs. */
export interface Decoder {
  /** Diagnostics so far, in order. */
  readonly diagnostics: Diagnostic[];
  readonly scope: Scope | undefined;
  /** Decodes the body of a block by a spec. */
  ofBody(body: Body, labels: readonly BlockLabel[], spec: Spec): Value;
}
