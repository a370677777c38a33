// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import { finishedDiagnostics, type ServerCall } from "./server-call.ts";
import type { ServedInstance } from "./served-instance.ts";

/** One RPC of the protocol that is answered with a stream. */
export interface StreamRpc<Request, Event> {
  /** As protocol 6 names it. */
  readonly name: string;
  /** Log fields that say what the request is about. */
  readonly about: (request: Request) => Readonly<Record<string, string>>;
  readonly run: (instance: ServedInstance, request: Request, call: ServerCall) => AsyncIterable<Event>;
  /** The one event of a stream that says only what is wrong. */
  readonly failed: (request: Request, diagnostics: readonly Diagnostic[]) => Event;
}

/** What the call has to say by now; the next event begins with nothing. */
export function drainDiagnostics(call: ServerCall): readonly Diagnostic[] {
  const finished = finishedDiagnostics(call);
  call.diagnostics.length = 0;
  return finished;
}
