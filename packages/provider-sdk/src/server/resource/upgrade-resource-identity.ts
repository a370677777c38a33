// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { errorDiagnostic, type UpgradeResourceIdentityRequest, type UpgradeResourceIdentityResponse } from "@tenon/schema";
import { decodePlain } from "../../conversion/decode.ts";
import { encode, type Encoded } from "../../conversion/encode.ts";
import { problemText } from "../../conversion/problem.ts";
import { fromRecordedJson, plainJson } from "../../conversion/recorded-json.ts";
import type { CompiledIdentity } from "../../compile/identity.ts";
import type { ObjectShape } from "../../shape/shape.ts";
import { aboutResource, rpc, type Rpc } from "../call/rpc.ts";
import { runHandler, type ServerCall } from "../call/server-call.ts";
import { readRawState } from "./upgrade-resource-state.ts";
import { handlerContext } from "../call/handler-context.ts";

/** Upgrades a recorded identity to the current version. Upgraders are chained, as those of state are. @see rule 38 in test/rules */
export const upgradeResourceIdentity: Rpc<UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse> = rpc({
  name: "UpgradeResourceIdentity",
  logFields: aboutResource,
  run: async (instance, { typeName, version, rawIdentity }, call) => {
    const { identity } = instance.resource(typeName);
    const refuse = (why: string): undefined =>
      void call.diagnostics.push(errorDiagnostic(`Cannot upgrade the identity of ${typeName}`, why));
    if (identity === undefined) return refuse("This resource has no identity.") ?? {};
    const current = identity.protocol.version;
    if (version > current) return refuse(`It has version ${version}, and this provider knows version ${current}: use a newer one.`) ?? {};
    const recorded = readRawState(rawIdentity, typeName, call);
    if (recorded === undefined) return {};
    const value =
      version === current
        ? read(fromRecordedJson(identity.shape, recorded.json), refuse)
        : await upgrade(identity, version, recorded.json, refuse, call);
    return value === undefined ? {} : { upgradedIdentity: value };
  },
  failed: () => ({}),
});

type Refuse = (why: string) => undefined;

function read({ value, problems }: Encoded, refuse: Refuse): Value | undefined {
  return problems.length === 0 ? value : refuse(`${problems.map(problemText).join("; ")}.`);
}

async function upgrade(
  identity: CompiledIdentity,
  from: number,
  recorded: unknown,
  refuse: Refuse,
  call: ServerCall,
): Promise<Value | undefined> {
  const { upgraders, shape, protocol } = identity;
  let known: unknown = plainJson(recorded);
  for (let at = from; at < protocol.version; at++) {
    const upgrader = upgraders.get(at);
    if (upgrader === undefined) return refuse(`There is no upgrader from version ${at} to ${at + 1}.`);
    const seen =
      upgrader.shape === undefined
        ? known
        : ofVersion(
            upgrader.shape,
            at === from ? fromRecordedJson(upgrader.shape, recorded) : encode(upgrader.shape, known, "partial"),
            refuse,
          );
    if (seen === undefined) return undefined;
    const outcome = await runHandler(call, `Cannot upgrade the identity from version ${at}`, () =>
      upgrader.upgrade(handlerContext(call, { identity: seen })),
    );
    if (!outcome.ok) return undefined;
    known = outcome.value;
  }
  return read(encode(shape, known, "result"), refuse);
}

/** The identity as its upgrader receives it: converted to JavaScript with the types of its version. */
function ofVersion(shape: ObjectShape, encoded: Encoded, refuse: Refuse): unknown {
  const value = read(encoded, refuse);
  if (value === undefined) return undefined;
  const { value: seen, problems } = decodePlain(shape, value, { unknown: false, null: false });
  return problems.length === 0 ? seen : refuse(`${problems.map(problemText).join("; ")}.`);
}
