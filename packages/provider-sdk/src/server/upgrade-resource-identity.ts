// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type UpgradeResourceIdentityRequest, type UpgradeResourceIdentityResponse } from "@tenon/schema";
import { problemText } from "../conversion/problem.ts";
import { fromRecordedJson } from "../conversion/recorded-json.ts";
import { aboutResource, rpc, type Rpc } from "./rpc.ts";
import { readRawState } from "./upgrade-resource-state.ts";

/** A recorded identity as a value. There is one version of identities, so there is nothing to upgrade. @see framework rule 38 */
export const upgradeResourceIdentity: Rpc<UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse> = rpc({
  name: "UpgradeResourceIdentity",
  about: aboutResource,
  run: (instance, { typeName, version, rawIdentity }, call) => {
    const { identity } = instance.resource(typeName);
    const refuse = (why: string): Record<string, never> => {
      call.diagnostics.push(errorDiagnostic(`Cannot upgrade the identity of ${typeName}`, why));
      return {};
    };
    if (identity === undefined) return refuse("This resource has no identity.");
    if (version !== identity.protocol.version)
      return refuse(`It has version ${version}, and this provider knows version ${identity.protocol.version}.`);
    const recorded = readRawState(rawIdentity, typeName, call);
    if (recorded === undefined) return {};
    const { value, problems } = fromRecordedJson(identity.shape, recorded.json);
    return problems.length === 0 ? { upgradedIdentity: value } : refuse(`${problems.map(problemText).join("; ")}.`);
  },
  failed: () => ({}),
});
