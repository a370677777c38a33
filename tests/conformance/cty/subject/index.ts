// SPDX-License-Identifier: Apache-2.0
/**
 * `@tenon/cty`, asked as the oracle is asked. An operation that is not here is one our package does not have (yet).
 *
 * @module
 */
import { CtyError, type CtyErrorCode } from "@tenon/cty";
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
};

/** What our package says of a case. */
export type OwnAnswer =
  | { readonly ok: Json }
  | { readonly err: ErrorNotation; readonly code: CtyErrorCode }
  /** Something other than the package's typed error was thrown: always wrong. */
  | { readonly crash: string };

export function isBuilt(op: string): boolean {
  return Object.hasOwn(operations, op);
}

/** Answers a case; undefined where our package lacks the operation. */
export function answerOurselves({ op, args }: Case): OwnAnswer | undefined {
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
