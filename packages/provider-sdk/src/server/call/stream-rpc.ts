// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import { finishedDiagnostics, type ServerCall } from "./server-call.ts";
import type { ServedInstance } from "../instance/served-instance.ts";

/** One RPC of the protocol whose response is a stream. */
export interface StreamRpc<Request, Event> {
  /** Name of the RPC in protocol 6. */
  readonly name: string;
  /** Log fields that name the component of the request. */
  readonly logFields: (request: Request) => Readonly<Record<string, string>>;
  readonly run: (instance: ServedInstance, request: Request, call: ServerCall) => AsyncIterable<Event>;
  /** The only event of a stream that failed: it carries the diagnostics. */
  readonly failed: (request: Request, diagnostics: readonly Diagnostic[]) => Event;
}

/** Returns the diagnostics collected so far and removes them from the call: each belongs to one event. */
export function drainDiagnostics(call: ServerCall): readonly Diagnostic[] {
  const finished = finishedDiagnostics(call);
  call.diagnostics.length = 0;
  return finished;
}
