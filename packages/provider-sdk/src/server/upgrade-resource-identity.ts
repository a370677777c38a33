// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { errorDiagnostic, type UpgradeResourceIdentityRequest, type UpgradeResourceIdentityResponse } from "@tenon/schema";
import { decodePlain } from "../conversion/decode.ts";
import { encode, type Encoded } from "../conversion/encode.ts";
import { problemText } from "../conversion/problem.ts";
import { fromRecordedJson, plainJson } from "../conversion/recorded-json.ts";
import type { CompiledIdentity } from "../schema/identity.ts";
import type { ObjectShape } from "../schema/shape.ts";
import { aboutResource, rpc, type Rpc } from "./rpc.ts";
import { runHandler, type ServerCall } from "./server-call.ts";
import { readRawState } from "./upgrade-resource-state.ts";

/** A recorded identity of any version as one of the current version. Upgraders are chained, as those of state are. @see framework rule 38 */
export const upgradeResourceIdentity: Rpc<UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse> = rpc({
  name: "UpgradeResourceIdentity",
  about: aboutResource,
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
    const { signal, warn, log } = call;
    const outcome = await runHandler(call, `Cannot upgrade the identity from version ${at}`, () =>
      upgrader.upgrade({ identity: seen, signal, warn, log }),
    );
    if (!outcome.ok) return undefined;
    known = outcome.value;
  }
  return read(encode(shape, known, "answer"), refuse);
}

/** An identity as the types of its version show it. */
function ofVersion(shape: ObjectShape, encoded: Encoded, refuse: Refuse): unknown {
  const value = read(encoded, refuse);
  if (value === undefined) return undefined;
  const { value: seen, problems } = decodePlain(shape, value, { unknown: false, null: false });
  return problems.length === 0 ? seen : refuse(`${problems.map(problemText).join("; ")}.`);
}
