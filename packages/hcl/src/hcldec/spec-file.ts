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
import { createScope, type Scope } from "../evaluate/scope.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { attributeValues } from "./given-variables.ts";
import { SpecReading } from "./spec-block.ts";
import { userFunctions } from "./user-functions.ts";

/** What a spec file says. */
export interface SpecFile {
  readonly spec: Spec;
  /** Of the input, from `variables` blocks. */
  readonly variables: ReadonlyMap<string, Value>;
  /** Of the input, from `function` blocks. */
  readonly functions: ReadonlyMap<string, CtyFunction>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What expressions in spec files may call. @see go cmd/hcldec spec_funcs.go */
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

/** Reads a spec file: any number of `variables` and `function` blocks, and the one block that is the spec. */
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
