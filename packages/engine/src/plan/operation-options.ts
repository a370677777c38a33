// SPDX-License-Identifier: Apache-2.0
import type { OperationOptions } from "@tenon/schema/lifecycle";
import type { ResourceInstanceObject } from "../address/resource.ts";
import { deferringCapabilities } from "../walk/provider-configuration.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { ConfiguredProvider } from "../walk/walk-providers.ts";
import type { PlanRun } from "./plan-run.ts";

/** The object that a call of a provider is about. */
export interface CalledObject {
  readonly address: ResourceInstanceObject;
  /** The address of its instance as text, for diagnostics. */
  readonly text: string;
  readonly provider: ConfiguredProvider;
}

/** The options of every call of a provider that plans an object. */
export function operationOptions(run: PlanRun, walk: ResourceWalk, called: CalledObject): Promise<OperationOptions> | OperationOptions {
  const { address, text, provider } = called;
  const { signal } = run.settings;
  const options: OperationOptions = {
    address: text,
    ...(walk.providers.allowsDeferral && { clientCapabilities: deferringCapabilities }),
    ...(signal && { signal }),
  };
  const meta = walk.providers.providerMeta(address.instance, provider.address.config.provider);
  return meta === undefined ? options : meta.then((one) => ({ ...options, ...one }));
}
