// SPDX-License-Identifier: Apache-2.0
import { isNull, isWhollyKnown, nullOf, objectOf, same, type Type, type Value } from "@tenon/cty";
import { hasErrors, identityType, impliedType, type Block } from "@tenon/schema";
import {
  assertObjectCompatible,
  assertPlanValid,
  assertWriteOnlyNull,
  filterRequiresReplace,
  formatRuleViolation,
  proposedNew,
} from "@tenon/schema/change";
import type { Random } from "@tenon/testing/generate";
import { responseOf, type ProviderResponse } from "./response.ts";
import type { CallBoth, Side } from "./call.ts";
import type { ResourceDeclaration } from "./declaration.ts";
import { changeConfig, makeConfig, makeState, type Wishes } from "./generate/configuration.ts";
import { recordedJson } from "./generate/recorded-json.ts";
import type { Sides } from "./sides.ts";

const none = new Uint8Array(0);
type Kept = Readonly<Record<Side, Uint8Array>>;

/** Recorded state of one resource. */
interface Recorded {
  readonly config: Value;
  readonly state: Value;
  /** Private data of each side. */
  readonly private: Kept;
  readonly identity: Value | undefined;
}

const encoder = new TextEncoder();

/** One resource, whose calls depend on earlier calls and on chance. */
export class Life {
  readonly #random: Random;
  readonly #declared: ResourceDeclaration;
  readonly #typeName: string;
  readonly #block: Block;
  readonly #type: Type;
  readonly #identityType: Type | undefined;
  readonly #call: CallBoth;
  #recorded: Recorded | undefined;

  constructor(random: Random, { declared: provider, schemas, identities }: Sides, declared: ResourceDeclaration, ask: CallBoth) {
    this.#random = random;
    this.#declared = declared;
    this.#typeName = `${provider.name}_${declared.name}`;
    this.#block = schemas.resources.get(this.#typeName)!.block;
    this.#type = impliedType(this.#block);
    const identity = identities.identitySchemas.get(this.#typeName);
    this.#identityType = identity === undefined ? undefined : identityType(identity);
    this.#call = ask;
  }

  /** Makes one step: one or two calls. */
  async step(): Promise<void> {
    const random = this.#random;
    await random.weighted<() => Promise<void>>([
      [30, () => this.#validate()],
      [90, () => this.#plan()],
      [24, () => this.#read()],
      [10, () => this.#destroy()],
      [14, () => this.#upgrade()],
      [9, () => this.#import()],
      [8, () => this.#move()],
    ])();
  }

  async #validate(): Promise<void> {
    const wishes = { unknowns: this.#random.chance(0.4), faults: this.#random.chance(0.4) };
    const config = makeConfig(this.#random, this.#declared, wishes);
    const clientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: !this.#random.chance(0.15) };
    const request = { typeName: this.#typeName, config, clientCapabilities };
    await this.#call({
      rpc: "ValidateResourceConfig",
      request,
      sort: (theirs) => (hasErrors(theirs.diagnostics) ? "invalid" : "valid"),
      ask: async (provider) => responseOf((await provider.validateResourceConfig(request)).diagnostics),
    });
  }

  /** Returns the state of an earlier apply, or a generated one. */
  #someRecorded(): Recorded {
    const random = this.#random;
    if (this.#recorded !== undefined && random.chance(0.7)) return this.#recorded;
    const config = makeConfig(random, this.#declared, { unknowns: false, faults: false });
    const state = makeState(random, this.#declared, config);
    return { config, state, private: { theirs: none, ours: none }, identity: this.#identityIn(state) };
  }

  /** Reads the identity from the attributes of a state. */
  #identityIn(state: Value): Value | undefined {
    const type = this.#identityType;
    if (type === undefined || type.kind !== "object" || state.type.kind !== "object" || this.#random.chance(0.1)) return undefined;
    const { slots, attributes } = state.type;
    const slotsOf = state.payload as readonly Value["payload"][];
    const parts = type.names.map((name): [string, Value] => [
      name,
      { type: attributes[name]!, payload: slotsOf[slots.get(name)!]! } as Value,
    ]);
    const required = parts.filter(([name]) => this.#declared.identity[name]?.optional !== true);
    return required.some(([, part]) => isNull(part)) ? undefined : objectOf(new Map(parts));
  }

  async #plan(): Promise<void> {
    const random = this.#random;
    // The cores only plan valid configurations.
    const wishes: Wishes = { unknowns: random.chance(0.3), faults: false };
    const isCreate = random.chance(0.28);
    const recorded = isCreate ? undefined : this.#someRecorded();
    const config =
      recorded === undefined ? makeConfig(random, this.#declared, wishes) : changeConfig(random, this.#declared, recorded.config, wishes);
    const priorState = recorded?.state ?? nullOf(this.#type);
    const kept = recorded?.private ?? { theirs: none, ours: none };
    const request = {
      typeName: this.#typeName,
      priorState,
      proposedNewState: proposedNew(this.#block, priorState, config),
      config,
      clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
      ...(recorded?.identity === undefined ? {} : { priorIdentity: recorded.identity }),
    };
    const privates: Record<Side, Uint8Array> = { theirs: none, ours: none };
    const responses = await this.#call({
      rpc: "PlanResourceChange",
      request,
      sort: (theirs) => sortOfPlan(theirs, priorState),
      broken: ({ values: { plannedState: planned }, requiresReplace }) => [
        ...assertPlanValid(this.#block, priorState, config, planned!).map(formatRuleViolation),
        ...filterRequiresReplace(this.#block, priorState, planned!, requiresReplace).violations.map(formatRuleViolation),
        ...assertWriteOnlyNull(this.#block, planned!).map(formatRuleViolation),
      ],
      ask: async (provider, side) => {
        const answer = await provider.planResourceChange({ ...request, priorPrivate: kept[side] });
        privates[side] = answer.plannedPrivate;
        const { diagnostics, plannedState, plannedIdentity, requiresReplace } = answer;
        return responseOf(diagnostics, { plannedState, plannedIdentity }, requiresReplace);
      },
    });
    if (hasErrors(responses.theirs.diagnostics) || hasErrors(responses.ours.diagnostics)) return;
    if (!isWhollyKnown(config) || random.chance(0.35)) return;
    await this.#apply(priorState, responses.theirs.values["plannedState"]!, config, privates, responses.theirs.values["plannedIdentity"]);
  }

  async #apply(priorState: Value, plannedState: Value, config: Value, privates: Kept, plannedIdentity: Value | undefined): Promise<void> {
    const request = {
      typeName: this.#typeName,
      priorState,
      plannedState,
      config,
      ...(plannedIdentity === undefined || isNull(plannedIdentity) ? {} : { plannedIdentity }),
    };
    const kept: Record<Side, Uint8Array> = { theirs: none, ours: none };
    const operation = isNull(priorState) ? "create" : isNull(plannedState) ? "delete" : "update";
    const responses = await this.#call({
      rpc: "ApplyResourceChange",
      request,
      sort: (theirs) => (hasErrors(theirs.diagnostics) ? `${operation} failed` : operation),
      broken: ({ values: { newState: state } }) => assertObjectCompatible(this.#block, plannedState, state!).map(formatRuleViolation),
      ask: async (provider, side) => {
        const {
          diagnostics,
          newState,
          newIdentity,
          private: stored,
        } = await provider.applyResourceChange({
          ...request,
          plannedPrivate: privates[side],
        });
        kept[side] = stored;
        return responseOf(diagnostics, { newState, newIdentity });
      },
    });
    const { newState, newIdentity } = responses.theirs.values;
    if (hasErrors(responses.theirs.diagnostics) || newState === undefined) return;
    this.#recorded = isNull(newState) || isNull(config) ? undefined : { config, state: newState, private: kept, identity: newIdentity };
  }

  async #destroy(): Promise<void> {
    const { state, private: kept, identity } = this.#someRecorded();
    const absent = nullOf(this.#type);
    const request = {
      typeName: this.#typeName,
      priorState: state,
      proposedNewState: absent,
      config: absent,
      ...(identity === undefined || isNull(identity) ? {} : { priorIdentity: identity }),
    };
    const privates: Record<Side, Uint8Array> = { theirs: none, ours: none };
    const responses = await this.#call({
      rpc: "PlanResourceChange",
      request,
      sort: (theirs) => (hasErrors(theirs.diagnostics) ? "error" : "destroy"),
      ask: async (provider, side) => {
        const answer = await provider.planResourceChange({ ...request, priorPrivate: kept[side] });
        privates[side] = answer.plannedPrivate;
        return responseOf(
          answer.diagnostics,
          { plannedState: answer.plannedState, plannedIdentity: answer.plannedIdentity },
          answer.requiresReplace,
        );
      },
    });
    if (hasErrors(responses.theirs.diagnostics) || hasErrors(responses.ours.diagnostics)) return;
    await this.#apply(state, absent, absent, privates, identity);
  }

  async #read(): Promise<void> {
    const { state, private: kept, identity, config } = this.#someRecorded();
    const request = {
      typeName: this.#typeName,
      currentState: state,
      clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
      ...(identity === undefined || isNull(identity) ? {} : { currentIdentity: identity }),
    };
    const privates: Record<Side, Uint8Array> = { theirs: none, ours: none };
    const responses = await this.#call({
      rpc: "ReadResource",
      request,
      sort: (theirs) => {
        const { newState } = theirs.values;
        if (hasErrors(theirs.diagnostics)) return "failed";
        return newState === undefined || isNull(newState) ? "gone" : "found";
      },
      ask: async (provider, side) => {
        const answer = await provider.readResource({ ...request, private: kept[side] });
        privates[side] = answer.private;
        return responseOf(answer.diagnostics, { newState: answer.newState, newIdentity: answer.newIdentity });
      },
    });
    const { newState, newIdentity } = responses.theirs.values;
    if (hasErrors(responses.theirs.diagnostics) || newState === undefined || isNull(newState)) return;
    if (this.#random.chance(0.3)) this.#recorded = { config, state: newState, private: privates, identity: newIdentity };
  }

  async #upgrade(): Promise<void> {
    const random = this.#random;
    const { version, earlier } = this.#declared;
    const { state } = this.#someRecorded();
    const from = random.int(version + 1);
    const text = random.chance(0.02) ? "{" : recordedJson(random, state, this.#type, earlier[from]);
    const request = { typeName: this.#typeName, version: from, rawState: { json: encoder.encode(text) } };
    await this.#call({
      rpc: "UpgradeResourceState",
      request: { ...request, rawState: text },
      sort: (theirs) => (hasErrors(theirs.diagnostics) ? "failed" : from === version ? "same version" : `${version - from} versions`),
      ask: async (provider) => {
        const { diagnostics, upgradedState } = await provider.upgradeResourceState(request);
        return responseOf(diagnostics, { upgradedState });
      },
    });
  }

  async #import(): Promise<void> {
    const random = this.#random;
    const identity = random.chance(0.4) ? this.#identityIn(this.#someRecorded().state) : undefined;
    const id = identity === undefined ? random.pick(["one", "two", "three/four", "throw"]) : "";
    const request = { typeName: this.#typeName, id, ...(identity === undefined ? {} : { identity }) };
    await this.#call({
      rpc: "ImportResourceState",
      request,
      sort: (theirs) => (hasErrors(theirs.diagnostics) ? "failed" : identity === undefined ? "by id" : "by identity"),
      ask: async (provider) => {
        const { diagnostics, importedResources } = await provider.importResourceState(request);
        const [one] = importedResources;
        return responseOf(diagnostics, { state: one?.state, identity: one?.identity });
      },
    });
  }

  async #move(): Promise<void> {
    const random = this.#random;
    const text = JSON.stringify({ name: random.pick(["x", "yy", "throw"]), size: random.int(100), gone: null });
    const request = {
      sourceProviderAddress: "registry.terraform.io/tenon/other",
      sourceTypeName: random.chance(0.8) ? "other_thing" : "other_thought",
      sourceSchemaVersion: random.int(3),
      sourceState: { json: encoder.encode(text) },
      targetTypeName: this.#typeName,
      sourcePrivate: none,
      sourceIdentitySchemaVersion: 0,
    };
    await this.#call({
      rpc: "MoveResourceState",
      request: { ...request, sourceState: text },
      sort: (theirs) => (hasErrors(theirs.diagnostics) ? "failed" : "moved"),
      ask: async (provider) => {
        const { diagnostics, targetState, targetIdentity } = await provider.moveResourceState(request);
        return responseOf(diagnostics, { targetState, targetIdentity });
      },
    });
  }
}

function sortOfPlan(theirs: ProviderResponse, prior: Value): string {
  const { plannedState } = theirs.values;
  if (hasErrors(theirs.diagnostics)) return "error";
  if (isNull(prior)) return "create";
  if (theirs.requiresReplace.length > 0) return "replace";
  return plannedState !== undefined && same(plannedState, prior) ? "no-op" : "update";
}
