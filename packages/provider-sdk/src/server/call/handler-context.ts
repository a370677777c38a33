// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../../logger.ts";
import type { ServerCall } from "./server-call.ts";

/** The members that the contexts of all handlers share. */
export interface HandlerContext {
  readonly signal: AbortSignal;
  readonly warn: (summary: string, detail?: string) => void;
  readonly log: Log;
}

/**
 * The context of a handler: the members that only its kind of handler has, and those of the call.
 *
 * The signal is created when the handler reads it. Few handlers do, and creating one costs more than the rest of the context.
 */
export function handlerContext<Own extends object>(call: ServerCall, own: Own): Own & HandlerContext {
  const { warn, log } = call;
  return {
    warn,
    log,
    ...own,
    get signal() {
      return call.signal;
    },
  };
}
