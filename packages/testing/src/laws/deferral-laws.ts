// SPDX-License-Identifier: Apache-2.0
import { nullOf, same, type Value } from "@tenon/cty";
import { hasErrors, impliedType, type ClientCapabilities, type Deferred, type Diagnostic } from "@tenon/schema";
import { proposedNew } from "@tenon/schema/change";
import type { ImportTarget, ResourceObject } from "@tenon/schema/lifecycle";
import { isUnimplemented } from "./recorded-calls.ts";
import type { Trial } from "./trial.ts";

/** What two responses are compared by. */
interface Response {
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred?: Deferred;
  /** The state in the response; undefined if there is none. */
  readonly state: Value | undefined;
}

/** Plans a change, or a deletion if there is no configuration, for a core that allows deferral. */
export async function checkDeferredPlan(trial: Trial, what: string, config: Value | undefined, prior?: ResourceObject): Promise<void> {
  const { provider, typeName, schema } = trial.subject.type;
  const { block } = schema;
  const nothing = nullOf(impliedType(block));
  const before = prior?.value ?? nothing;
  await compare(trial, what, async (clientCapabilities) => {
    const response = await provider.planResourceChange({
      typeName,
      priorState: before,
      proposedNewState: config === undefined ? nothing : proposedNew(block, before, config),
      config: config ?? nothing,
      priorPrivate: prior?.private ?? new Uint8Array(),
      clientCapabilities,
      ...(prior?.identity ? { priorIdentity: prior.identity } : {}),
    });
    return { ...response, state: response.plannedState };
  });
}

/** Reads an object for a core that allows deferral. */
export async function checkDeferredRead(trial: Trial, what: string, object: ResourceObject): Promise<void> {
  const { provider, typeName } = trial.subject.type;
  await compare(trial, what, async (clientCapabilities) => {
    const response = await provider.readResource({
      typeName,
      currentState: object.value,
      private: object.private,
      clientCapabilities,
      ...(object.identity ? { currentIdentity: object.identity } : {}),
    });
    return { ...response, state: response.newState };
  });
}

/** Imports an object for a core that allows deferral. */
export async function checkDeferredImport(trial: Trial, what: string, target: ImportTarget): Promise<void> {
  const { provider, typeName } = trial.subject.type;
  const named = "id" in target ? { id: target.id } : { id: "", identity: target.identity };
  await compare(trial, what, async (clientCapabilities) => {
    const response = await provider.importResourceState({ typeName, clientCapabilities, ...named });
    return { ...response, state: response.importedResources[0]?.state };
  });
}

/** Makes a call for a core that allows deferral and for one that does not, and compares the responses unless the first is deferred. */
async function compare(trial: Trial, what: string, call: (capabilities: ClientCapabilities) => Promise<Response>): Promise<void> {
  if (trial.subject.except.has("deferral-changes-nothing")) return;
  const answer = (deferralAllowed: boolean): Promise<Response | undefined> =>
    trial.attempt(what, async () => {
      try {
        return await call({ deferralAllowed, writeOnlyAttributesAllowed: true });
      } catch (error) {
        if (isUnimplemented(error)) return undefined;
        throw error;
      }
    });
  const allowed = await answer(true);
  if (allowed === undefined) return;
  if (allowed.deferred !== undefined) return void trial.outcomes.push(`${what} was deferred`);
  const other = await answer(false);
  if (other === undefined || other.deferred !== undefined) return;
  const failed = [allowed, other].map(({ diagnostics }) => hasErrors(diagnostics));
  if (failed[0] !== failed[1]) {
    const which = failed[0] === true ? "fails, and succeeds" : "succeeds, and fails";
    trial.violate("deferral-changes-nothing", `${what} is not deferred for a core that allows deferral; it ${which} for other cores.`);
  } else if (failed[0] === false && !isSame(allowed.state, other.state)) {
    trial.violate(
      "deferral-changes-nothing",
      `${what} is not deferred for a core that allows deferral, and returns another state than for other cores.`,
    );
  }
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one === undefined || other === undefined ? one === other : same(one, other);
}
