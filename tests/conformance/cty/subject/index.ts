// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the oracle's cases with `@tenon/cty`.
 *
 * @module
 */
import { CtyError, type CtyErrorCode } from "@tenon/cty";
import { engineFunctionOperations } from "../../engine/function-subject.ts";
import type { Case, ErrorNotation, Json } from "../notation.ts";
import { jsonOperations, msgpackOperations } from "./codecs.ts";
import { convertOperations } from "./conversions.ts";
import { functionOperations } from "./functions.ts";
import { numberOperations } from "./numbers.ts";
import type { Operations } from "./operation.ts";
import { typeOperations } from "./types.ts";
import { valueOperations } from "./values.ts";
import { writePath } from "./write.ts";

const operations: Operations = {
  ...typeOperations,
  ...valueOperations,
  ...numberOperations,
  ...convertOperations,
  ...jsonOperations,
  ...msgpackOperations,
  ...functionOperations,
  ...engineFunctionOperations,
};

/** The result of @tenon/cty for a case. */
export type OwnResult =
  | { readonly ok: Json }
  | { readonly err: ErrorNotation; readonly code: CtyErrorCode }
  /** An exception other than CtyError, which is always a bug. */
  | { readonly crash: string };

export function isBuilt(op: string): boolean {
  return Object.hasOwn(operations, op);
}

/** Runs a case with @tenon/cty; undefined if it does not have the operation. */
export function ownResult({ op, args }: Case): OwnResult | undefined {
  if (!isBuilt(op)) return undefined;
  try {
    return { ok: operations[op]!(...args) };
  } catch (error) {
    if (!(error instanceof CtyError)) return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const path = writePath(error.path);
    const { argument } = error as { argument?: number };
    return {
      err: { msg: error.message, ...(path.length > 0 ? { path } : {}), ...(argument === undefined ? {} : { arg: argument }) },
      code: error.code,
    };
  }
}
