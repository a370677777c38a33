// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type UpgradeResourceIdentityRequest, type UpgradeResourceIdentityResponse } from "@tenon/schema";
import { aboutResource, rpc, type Rpc } from "./rpc.ts";

/** No resource of this SDK has an identity yet, so there is none to upgrade. */
export const upgradeResourceIdentity: Rpc<UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse> = rpc({
  name: "UpgradeResourceIdentity",
  about: aboutResource,
  run: (instance, { typeName }, call) => {
    instance.resource(typeName);
    call.diagnostics.push(errorDiagnostic(`Cannot upgrade the identity of ${typeName}`, "This resource has no identity."));
    return {};
  },
  failed: () => ({}),
});
