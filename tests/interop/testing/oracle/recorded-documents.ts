// SPDX-License-Identifier: Apache-2.0
import type { PlanDocument, Runner, RunnerSession, SessionPlan, StateDocument } from "@tenon/testing";

/** Plans and states of real cases. */
export interface RecordedDocuments {
  readonly plans: PlanDocument[];
  readonly states: StateDocument[];
}

/** A runner that does what another one does, and collects its plans and states. */
export function recordingRunner(runner: Runner, into: RecordedDocuments): Runner {
  return { ...runner, open: async (setup) => recordingSession(await runner.open(setup), into) };
}

function recordingSession(session: RunnerSession, into: RecordedDocuments): RunnerSession {
  return {
    configure: (files, variables) => session.configure(files, variables),
    refresh: () => session.refresh(),
    taint: (address) => session.taint(address),
    importObject: (address, id) => session.importObject(address, id),
    plan: async (options) => recordPlan(await session.plan(options), into),
    state: async () => {
      const state = await session.state();
      into.states.push(state);
      return state;
    },
    fork: async () => recordingSession(await session.fork(), into),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

async function recordPlan(plan: SessionPlan, into: RecordedDocuments): Promise<SessionPlan> {
  if (plan.errors.length === 0) into.plans.push(await plan.document());
  return plan;
}
