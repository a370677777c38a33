// SPDX-License-Identifier: Apache-2.0
import type { OperationOptions } from "@tenon/schema/lifecycle";
import type { ProviderAddress } from "../address/provider.ts";
import type { InstanceNode, ResourceWalk } from "../walk/resource-walk.ts";
import { deferringCapabilities } from "../walk/provider-configuration.ts";
import type { PlanRun } from "./plan-run.ts";

/** The options of every call of a provider that plans an instance. */
export async function operationOptions(
  run: PlanRun,
  walk: ResourceWalk,
  { address, text }: Pick<InstanceNode, "address" | "text">,
  provider: ProviderAddress,
): Promise<OperationOptions> {
  const { signal } = run.settings;
  return {
    address: text,
    ...(await walk.providerMeta(address, provider)),
    ...(walk.allowsDeferral && { clientCapabilities: deferringCapabilities }),
    ...(signal && { signal }),
  };
}
