// SPDX-License-Identifier: Apache-2.0
import { isNull } from "@tenon/cty";
import { PluginHostError } from "@tenon/plugin-host";
import {
  type AnyUnaryCall,
  mapCalls,
  type PlanResourceChangeRequest,
  type Provider,
  ProviderError,
  type UnaryCallName,
  type UpgradeResourceStateRequest,
} from "@tenon/schema";

/**
 * Responds to calls that only this bridge makes, so that logs of Pulumi's own bridge can be replayed: validations report no error, a deletion is
 * planned as requested, a repeated upgrade of a state has the same result, and calls that describe the provider are unimplemented.
 */
export function tolerantReplay(replay: Provider): Provider {
  const upgrades = new Map<string, object>();
  const calls = mapCalls(replay, {
    unary:
      (call, method): AnyUnaryCall =>
      async (request, options) => {
        const upgrade = method === "upgradeResourceState" ? upgradeKey(request as UpgradeResourceStateRequest) : undefined;
        try {
          const response = await call(request, options);
          if (upgrade !== undefined) upgrades.set(upgrade, response);
          return response;
        } catch (error) {
          if (!(error instanceof PluginHostError) || error.code !== "REPLAY_MISMATCH") throw error;
          const response = upgrade === undefined ? missingResponse(method, request) : upgrades.get(upgrade);
          if (response === undefined) throw error;
          return response;
        }
      },
    streaming: (call) => call,
  });
  return { ...replay, ...calls };
}

function upgradeKey({ typeName, version, rawState }: UpgradeResourceStateRequest): string {
  return JSON.stringify([typeName, String(version), Buffer.from(rawState.json ?? []).toString("base64"), rawState.flatmap]);
}

function missingResponse(method: UnaryCallName, request: object): object | undefined {
  switch (method) {
    case "validateProviderConfig":
    case "validateResourceConfig":
    case "validateDataResourceConfig":
      return { diagnostics: [] };
    case "planResourceChange":
      return plannedDeletion(request as PlanResourceChangeRequest);
    case "getMetadata":
    case "getResourceIdentitySchemas":
    case "getFunctions":
      throw new ProviderError("UNIMPLEMENTED", `the log has no ${method}`);
    default:
      return undefined;
  }
}

function plannedDeletion({ proposedNewState, priorPrivate }: PlanResourceChangeRequest): object | undefined {
  if (!isNull(proposedNewState)) return undefined;
  return { plannedState: proposedNewState, plannedPrivate: priorPrivate, requiresReplace: [], legacyTypeSystem: false, diagnostics: [] };
}
