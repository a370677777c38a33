// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from "../../definition/call-context.ts";
import { openPrivateState, type OpenPrivateState } from "../../private-state/open-private-state.ts";
import type { ServedInstance } from "../instance/served-instance.ts";
import type { ServerCall } from "./server-call.ts";

/** Opens the private data of a resource; returns undefined if it cannot be read, which diagnostics report. */
export function resourcePrivateState(
  { vault }: ServedInstance,
  typeName: string,
  stored: Uint8Array,
  { diagnostics }: ServerCall,
): Awaitable<OpenPrivateState | undefined> {
  return openPrivateState({ vault, kind: "resource", typeName, diagnostics }, stored);
}

/** Opens the private data of an ephemeral resource; returns undefined if it cannot be read, which diagnostics report. */
export function ephemeralPrivateState(
  { vault }: ServedInstance,
  typeName: string,
  stored: Uint8Array,
  { diagnostics }: ServerCall,
): Awaitable<OpenPrivateState | undefined> {
  return openPrivateState({ vault, kind: "ephemeralResource", typeName, diagnostics }, stored);
}
