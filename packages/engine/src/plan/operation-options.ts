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
export async function operationOptions(
  run: PlanRun,
  walk: ResourceWalk,
  { address, text, provider }: CalledObject,
): Promise<OperationOptions> {
  const { signal } = run.settings;
  return {
    address: text,
    ...(await walk.providers.providerMeta(address.instance, provider.address.config.provider)),
    ...(walk.providers.allowsDeferral && { clientCapabilities: deferringCapabilities }),
    ...(signal && { signal }),
  };
}
