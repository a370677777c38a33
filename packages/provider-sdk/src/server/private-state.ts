// SPDX-License-Identifier: Apache-2.0
import { openPrivateState, type OpenPrivateState } from "../private-state/open-private-state.ts";
import type { ServedInstance } from "./served-instance.ts";
import type { ServerCall } from "./server-call.ts";

/** Private data of a resource; undefined where diagnostics say why it cannot be read. */
export function resourcePrivateState(
  { vault }: ServedInstance,
  typeName: string,
  stored: Uint8Array,
  { diagnostics }: ServerCall,
): Promise<OpenPrivateState | undefined> {
  return openPrivateState({ vault, kind: "resource", typeName, diagnostics }, stored);
}

/** Private data of an ephemeral resource; undefined where diagnostics say why it cannot be read. */
export function ephemeralPrivateState(
  { vault }: ServedInstance,
  typeName: string,
  stored: Uint8Array,
  { diagnostics }: ServerCall,
): Promise<OpenPrivateState | undefined> {
  return openPrivateState({ vault, kind: "ephemeralResource", typeName, diagnostics }, stored);
}
