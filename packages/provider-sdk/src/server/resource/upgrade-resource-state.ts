// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { errorDiagnostic, type RawState, type UpgradeResourceStateRequest, type UpgradeResourceStateResponse } from "@tenon/schema";
import { encode } from "../../conversion/encode.ts";
import { problemText } from "../../conversion/problem.ts";
import { fromRecordedJson, parseExactly, plainJson } from "../../conversion/recorded-json.ts";
import { isRecord } from "../../conversion/record.ts";
import type { CompiledResource } from "../../compile/resource.ts";
import type { ObjectShape } from "../../shape/shape.ts";
import { encodeResult, decodeView } from "../call/handler-values.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "../call/rpc.ts";
import { messageOf } from "../call/error-text.ts";
import { hasFailed, runHandler, type ServerCall } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

type Response = Bare<UpgradeResourceStateResponse>;

/**
 * Upgrades recorded state to the current version. Upgraders are chained, one version at a time.
 *
 * @see rules 34 to 37 in test/rules; the framework has no chaining: each of its upgraders leads to the current version.
 */
export const upgradeResourceState: Rpc<UpgradeResourceStateRequest, UpgradeResourceStateResponse> = rpc({
  name: "UpgradeResourceState",
  logFields: aboutResource,
  run: async (instance, { typeName, version, rawState }, call) => {
    const resource = instance.resource(typeName);
    const recorded = readRawState(rawState, typeName, call);
    if (recorded === undefined) return {};
    return version === resource.version ? sameVersion(resource, recorded.json, call) : upgrade(resource, version, recorded.json, call);
  },
  failed: () => ({}),
});

/** Parses the JSON of recorded state; returns undefined if there is none, or if it cannot be read, which diagnostics report. */
export function readRawState(raw: RawState, typeName: string, call: ServerCall): { readonly json: unknown } | undefined {
  const refuse = (why: string): undefined =>
    void call.diagnostics.push(errorDiagnostic(`Cannot read the recorded state of ${typeName}`, why));
  if (raw.flatmap !== undefined)
    return refuse("It was written by Terraform 0.11 or older. Apply it once with a version from 0.12 to 1.x first.");
  if (raw.json === undefined || raw.json.length === 0) return undefined;
  try {
    return { json: parseExactly(raw.json) };
  } catch (error) {
    return refuse(`It is not valid JSON: ${messageOf(error)}`);
  }
}

/** Reads state of the current version leniently: a provider may add or remove attributes without a new version. */
function sameVersion(resource: CompiledResource, json: unknown, call: ServerCall): Response {
  const value = recordedValue(resource.shape, json, resource.typeName, call);
  return value === undefined ? {} : { upgradedState: value };
}

function recordedValue(shape: ObjectShape, json: unknown, typeName: string, call: ServerCall): Value | undefined {
  const { value, problems } = fromRecordedJson(shape, json);
  call.secrets.add(shape, value);
  for (const problem of problems) {
    call.diagnostics.push(errorDiagnostic(`Cannot read the recorded state of ${typeName}`, `${problemText(problem)}.`, problem.path));
  }
  return problems.length === 0 ? value : undefined;
}

async function upgrade(resource: CompiledResource, from: number, recorded: unknown, call: ServerCall): Promise<Response> {
  const { typeName, version, upgraders, shape } = resource;
  if (from > version) {
    call.diagnostics.push(
      errorDiagnostic(
        `Cannot read the recorded state of ${typeName}`,
        `It has version ${from}, and this provider knows version ${version}: use a newer one.`,
      ),
    );
    return {};
  }
  let state: unknown = plainJson(recorded);
  // The JSON with exact numbers, for the first upgrader only: upgraders return JavaScript numbers.
  let exact: unknown = recorded;
  for (let at = from; at < version; at++) {
    const upgrader = upgraders.get(at);
    if (upgrader === undefined) {
      const known = upgraders.size === 0 ? "none" : `those from version ${Math.min(...upgraders.keys())} on`;
      call.diagnostics.push(
        errorDiagnostic(
          `Cannot upgrade the state of ${typeName}`,
          `There is no upgrader from version ${at} to ${at + 1}; this provider has ${known}.`,
        ),
      );
      return {};
    }
    if (upgrader.shape !== undefined) state = stateOfVersion(upgrader.shape, at === from ? exact : state, at === from, typeName, call);
    if (hasFailed(call)) return {};
    const outcome = await runHandler(call, `Cannot upgrade the state of ${typeName} from version ${at}`, () =>
      upgrader.upgrade(handlerContext(call, { state })),
    );
    if (!outcome.ok) return {};
    if (!isRecord(outcome.value)) {
      call.diagnostics.push(
        errorDiagnostic(
          "Invalid result from the provider",
          `The upgrader of ${typeName} from version ${at} did not return an object. This is a bug in the provider.`,
        ),
      );
      return {};
    }
    state = outcome.value;
    exact = undefined;
  }
  const value = encodeResult(shape, state, "result", `upgradeState of ${typeName}`, call);
  return hasFailed(call) ? {} : { upgradedState: value };
}

/** The state as its upgrader receives it, converted with the schema of its version: from recorded JSON, or from the previous upgrader. */
function stateOfVersion(shape: ObjectShape, state: unknown, isRecorded: boolean, typeName: string, call: ServerCall): unknown {
  // The result of an upgrader is not checked here: attributes that are missing in it are null for the next one.
  const value = isRecorded ? recordedValue(shape, state, typeName, call) : encode(shape, state, "partial").value;
  return value === undefined ? undefined : decodeView(shape, value, "recorded", "recorded state", call);
}
