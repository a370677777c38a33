// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import {
  absoluteFunc,
  coalesceFunc,
  concatFunc,
  hasIndexFunc,
  intFunc,
  jsonDecodeFunc,
  jsonEncodeFunc,
  lengthFunc,
  lowerFunc,
  maxFunc,
  minFunc,
  reverseFunc,
  strlenFunc,
  substrFunc,
  upperFunc,
} from "@tenon/cty/stdlib";
import type { Body } from "../body/body.ts";
import type { Spec } from "../decode/spec.ts";
import { createScope, type Scope } from "../syntax/scope.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { attributeValues } from "./given-variables.ts";
import { SpecReading } from "./spec-block.ts";
import { userFunctions } from "./user-functions.ts";

/** The content of a spec file. */
export interface SpecFile {
  readonly spec: Spec;
  /** Variables for the input, from `variables` blocks. */
  readonly variables: ReadonlyMap<string, Value>;
  /** Functions for the input, from `function` blocks. */
  readonly functions: ReadonlyMap<string, CtyFunction>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Scope of expressions in spec files. @see go cmd/hcldec spec_funcs.go */
const scope: Scope = createScope({
  functions: {
    abs: absoluteFunc,
    coalesce: coalesceFunc,
    concat: concatFunc,
    hasindex: hasIndexFunc,
    int: intFunc,
    jsondecode: jsonDecodeFunc,
    jsonencode: jsonEncodeFunc,
    length: lengthFunc,
    lower: lowerFunc,
    max: maxFunc,
    min: minFunc,
    reverse: reverseFunc,
    strlen: strlenFunc,
    substr: substrFunc,
    upper: upperFunc,
  },
});

/** Reads a spec file: `variables` and `function` blocks, and one spec block. */
export function readSpecFile(body: Body): SpecFile {
  const functions = userFunctions(body, scope);
  const { content, diagnostics, remain } = functions.remain.partialContent({ blocks: [{ type: "variables" }] });
  const given = content.blocks.map((block) => attributeValues(block.body, scope));
  const reading = new SpecReading(scope);
  const spec = reading.onlySpec(remain, "A spec file must have exactly one root block specifying how to map to a JSON value.");
  return {
    spec,
    variables: new Map(given.flatMap(({ variables }) => [...variables])),
    functions: functions.functions,
    diagnostics: [...functions.diagnostics, ...diagnostics, ...given.flatMap((one) => one.diagnostics), ...reading.diagnostics],
  };
}
