// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import type { Value } from "@tenon/cty";
import type { EphemeralResource } from "@tenon/schema/lifecycle";
import type { Operation } from "./operation.ts";
import type { Fields } from "./provider-types.ts";

/** An ephemeral resource that is open. The provider renews it in time until it is closed. Printed, it shows nothing of what it holds. */
export interface EphemeralHandle<State = Fields> extends AsyncDisposable {
  readonly typeName: string;
  readonly state: State;
  /** The state as a value of cty. */
  readonly value: Value;
  /** When the provider will be asked to renew it; undefined where it never expires, and once it is closed. */
  readonly renewAt: Date | undefined;
  /** Has it renewed now, and not when it would be. Where that failed, closing says so. */
  renew(): Promise<void>;
  /** Closes it; closing twice does nothing. @throws PluginHostError `DIAGNOSTICS` where renewing or closing failed */
  close(): Promise<void>;
}

/** A handle of a resource that was opened. */
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
