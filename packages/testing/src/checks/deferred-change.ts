// SPDX-License-Identifier: Apache-2.0
import { callSite } from "../call-site.ts";
import type { PlanCheck } from "./check.ts";
import type { ResourceAddress } from "./resource-address.ts";

/** The reason why a provider defers a change to a later plan. */
export type DeferredReason =
  | "resource_config_unknown"
  | "provider_config_unknown"
  | "absent_prereq"
  | "deferred_prereq"
  | "instance_count_unknown";

/** Checks that the plan defers the change of a resource. The case needs `allowDeferral`. */
export function expectDeferredChange(address: ResourceAddress, reason: DeferredReason): PlanCheck {
  return {
    name: "expectDeferredChange",
    site: callSite(expectDeferredChange),
    requires: "deferral",
    checkPlan: ({ deferred_changes: deferred = [] }) => {
      const found = deferred.find(({ resource_change: change }) => change.address === address);
      if (found === undefined) {
        const addresses = deferred.map(({ resource_change: change }) => change.address);
        return `the change of ${address} must be deferred: the plan defers ${addresses.length === 0 ? "none" : addresses.join(", ")}`;
      }
      return found.reason === reason
        ? undefined
        : `the change of ${address} must be deferred because of ${reason}, but is deferred because of ${found.reason}`;
    },
  };
}

/** Checks that the plan defers no change. */
export function expectNoDeferredChanges(): PlanCheck {
  return {
    name: "expectNoDeferredChanges",
    site: callSite(expectNoDeferredChanges),
    checkPlan: ({ deferred_changes: deferred = [] }) =>
      deferred.length === 0
        ? undefined
        : `the plan must defer no change, but defers:\n  ${deferred.map((one) => `${one.resource_change.address}: ${one.reason}`).join("\n  ")}`,
  };
}
