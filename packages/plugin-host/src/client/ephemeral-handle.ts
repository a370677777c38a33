// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import type { Value } from "@tenon/cty";
import type { EphemeralResource } from "@tenon/schema/lifecycle";
import type { Operation } from "./operation.ts";
import type { Fields } from "../resource-handle.ts";

/** An open ephemeral resource. It is renewed in time until it is closed. `console.log` hides its values. */
export interface EphemeralHandle<State = Fields> extends AsyncDisposable {
  readonly typeName: string;
  readonly state: State;
  /** The state as a cty value. */
  readonly value: Value;
  /** Time of the next renewal; undefined if the resource never expires or is closed. */
  readonly renewAt: Date | undefined;
  /** Renews the resource now. {@link close} reports a failure. */
  renew(): Promise<void>;
  /** Closes the resource; a second call does nothing. @throws PluginHostError `DIAGNOSTICS` if a renewal or the close failed */
  close(): Promise<void>;
}

/** Creates the handle of an open ephemeral resource. */
export function createEphemeralHandle<State>(
  typeName: string,
  resource: EphemeralResource,
  state: State,
  operation: Operation,
): EphemeralHandle<State> {
  let closing: Promise<void> | undefined;
  const settle = async (): Promise<void> => {
    operation.settle(await resource.close());
  };
  const close = (): Promise<void> => (closing ??= settle());
  const handle: EphemeralHandle<State> = {
    typeName,
    state,
    value: resource.result,
    get renewAt() {
      return resource.renewAt;
    },
    renew: () => resource.renew(),
    close,
    [Symbol.asyncDispose]: close,
  };
  return Object.defineProperty(handle, inspect.custom, { value: () => `${typeName} (ephemeral value)` });
}
