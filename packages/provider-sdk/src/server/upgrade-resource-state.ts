// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { errorDiagnostic, type RawState, type UpgradeResourceStateRequest, type UpgradeResourceStateResponse } from "@tenon/schema";
import { encode } from "../conversion/encode.ts";
import { problemText } from "../conversion/problem.ts";
import { fromRecordedJson, parseExactly, plainJson } from "../conversion/recorded-json.ts";
import { isRecord } from "../conversion/record.ts";
import type { CompiledResource } from "../schema/resource.ts";
import type { ObjectShape } from "../schema/shape.ts";
import { answered, shown } from "./resource-context.ts";
import { aboutResource, rpc, type Bare, type Rpc } from "./rpc.ts";
import { messageOf } from "./error-text.ts";
import { hasFailed, runHandler, type ServerCall } from "./server-call.ts";

type Answer = Bare<UpgradeResourceStateResponse>;

/**
 * Recorded state of any version as state of the current one. Upgraders are chained, one version at a time.
 *
 * @see framework rules 34 to 37; the framework has no chaining: each of its upgraders leads to the current version.
 */
export const upgradeResourceState: Rpc<UpgradeResourceStateRequest, UpgradeResourceStateResponse> = rpc({
  name: "UpgradeResourceState",
  about: aboutResource,
  run: async (instance, { typeName, version, rawState }, call) => {
    const resource = instance.resource(typeName);
    const recorded = readRawState(rawState, typeName, call);
    if (recorded === undefined) return {};
    return version === resource.version ? sameVersion(resource, recorded.json, call) : upgrade(resource, version, recorded.json, call);
  },
  failed: () => ({}),
});

/** The JSON of recorded state; undefined where there is none, or diagnostics say why it cannot be read. */
export function readRawState(raw: RawState, typeName: string, call: ServerCall): { readonly json: unknown } | undefined {
  const refuse = (why: string): undefined =>
    void call.diagnostics.push(errorDiagnostic(`Cannot read the recorded state of ${typeName}`, why));
  if (raw.flatmap !== undefined)
    return refuse("It was written by Terraform 0.11 or older. Apply it once with a version from 0.12 to 1.x first.");
  if (raw.json === undefined || raw.json.length === 0) return undefined;
  try {
    return { json: parseExactly(raw.json) };
  } catch (error) {
    return refuse(`It is no JSON: ${messageOf(error)}`);
  }
}

/** Nothing to do but to read it leniently: attributes may have gone or come without a new version. */
function sameVersion(resource: CompiledResource, json: unknown, call: ServerCall): Answer {
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

async function upgrade(resource: CompiledResource, from: number, recorded: unknown, call: ServerCall): Promise<Answer> {
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
  // Numbers keep everything only as long as nothing has been upgraded.
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
    const { signal, warn, log } = call;
    const outcome = await runHandler(call, `Cannot upgrade the state of ${typeName} from version ${at}`, () =>
      upgrader.upgrade({ state, signal, warn, log }),
    );
    if (!outcome.ok) return {};
    if (!isRecord(outcome.value)) {
      call.diagnostics.push(
        errorDiagnostic(
          "Invalid answer of the provider",
          `The upgrader of ${typeName} from version ${at} answered no object. This is a bug in the provider.`,
        ),
      );
      return {};
    }
    state = outcome.value;
    exact = undefined;
  }
  const value = answered(shape, state, "answer", `upgradeState of ${typeName}`, call);
  return hasFailed(call) ? {} : { upgradedState: value };
}

/** State as the schema of its version shows it: of recorded JSON, or of what the upgrader before answered. */
function stateOfVersion(shape: ObjectShape, state: unknown, isRecorded: boolean, typeName: string, call: ServerCall): unknown {
  // An upgrader's answer is checked by what the next one asks for; what is missing there is null.
  const value = isRecorded ? recordedValue(shape, state, typeName, call) : encode(shape, state, "partial").value;
  return value === undefined ? undefined : shown(shape, value, "recorded", "recorded state", call);
}
