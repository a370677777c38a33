// SPDX-License-Identifier: Apache-2.0
import { equals, formatPath, type Path, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { assertPlanValid } from "../change/plan-valid.ts";
import { formatProblem } from "../change/problem.ts";
import { proposedNew } from "../change/proposed-new.ts";
import { filterRequiresReplace } from "../change/requires-replace.ts";
import { hasErrors, type Diagnostic } from "../diagnostic.ts";
import { attributeAt } from "../model/attribute-at.ts";
import { impliedType } from "../model/implied-type.ts";
import type { PlanResourceChangeResponse } from "../messages/managed-resource.ts";
import {
  addressOf,
  clientCapabilitiesOf,
  enter,
  identityAs,
  withProviderMeta,
  type LifecyclePhase,
  type OperationOptions,
} from "./operation.ts";
import type { PlannedChange } from "./planned-change.ts";
import { objectFaults, problemAt, providerFault, writeOnlyFaults } from "./provider-fault.ts";
import type { ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";
import { validateConfig } from "./validate-config.ts";

/** What is to be planned. */
export interface PlanChangeOptions extends OperationOptions {
  /** The object as it is, of the current schema version; absent where none exists. */
  readonly prior?: ResourceObject | undefined;
  /** What is wanted, of the type's implied type, without marks; may hold unknown values. */
  readonly config: Value;
  /** Replace the object even if it could be updated, or need not be. */
  readonly forceReplace?: boolean;
  /**
   * Puts the prior values back at what the practitioner wants ignored. Given the configuration, and for providers on the old SDK
   * their plan too; a replacement is planned from the whole configuration.
   */
  readonly ignoreChanges?: (prior: Value, value: Value, of: "config" | "planned") => Value;
}

/** A plan, unless diagnostics hold errors. */
export interface PlanOutcome {
  readonly planned?: PlannedChange;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans a create, update or replacement, as the cores do: has the configuration validated, proposes it merged with what exists, has
 * the provider plan that, and holds the plan against what providers may do. A tainted object is planned as if none existed, and
 * replaced. Where a change cannot be made in place, the provider plans again as if nothing existed.
 *
 * @throws ProviderError where the provider cannot be asked.
 * @see OpenTofu node_resource_abstract_instance.go, plan
 */
export async function planChange(type: ResourceType, options: PlanChangeOptions): Promise<PlanOutcome> {
  const { prior, config } = options;
  const diagnostics: Diagnostic[] = [...(await validateConfig(type, config, options))];
  if (hasErrors(diagnostics)) return { diagnostics };

  const nothing = valueOf(impliedType(type.schema.block), null);
  const usable = prior?.status === "ready" ? prior : undefined;
  const before = usable?.value ?? nothing;
  const effective = options.ignoreChanges?.(before, config, "config") ?? config;
  const first = await askForPlan(
    type,
    { phase: "plan", before, config: effective, private: usable?.private, identity: usable?.identity },
    options,
    diagnostics,
  );
  if (first === undefined) return { diagnostics };
  const { response } = first;
  if (!checkPlan(type, before, effective, response, options, diagnostics)) return { diagnostics };

  const after = response.legacyTypeSystem
    ? (options.ignoreChanges?.(before, response.plannedState, "planned") ?? response.plannedState)
    : response.plannedState;
  const requiresReplace = replacementPaths(type, before, after, response, options, diagnostics);
  if (requiresReplace === undefined) return { diagnostics };

  const common = { ...(prior ? { prior } : {}), before: prior?.value ?? nothing, ...deferralOf(response, options) };
  const planned = {
    after,
    proposedNew: first.proposed,
    requiresReplace,
    private: response.plannedPrivate,
    ...identityAs("identity", response.plannedIdentity),
  };
  if (usable === undefined) {
    // A tainted object has been planned as a new one already.
    return {
      planned: { ...common, ...planned, ...(prior ? { action: "replace", reason: "tainted" } : { action: "create" }) },
      diagnostics,
    };
  }
  const reason = replaceReason(type, before, after, requiresReplace, options);
  if (reason === undefined) {
    return { planned: { ...common, ...planned, action: equals(after, before).payload === true ? "noOp" : "update" }, diagnostics };
  }
  const again = await askForPlan(
    type,
    { phase: "planReplacement", before: nothing, config, private: response.plannedPrivate },
    options,
    diagnostics,
  );
  if (again === undefined) return { diagnostics };
  const replacement = {
    after: again.response.plannedState,
    proposedNew: again.proposed,
    requiresReplace,
    private: again.response.plannedPrivate,
    ...identityAs("identity", again.response.plannedIdentity),
  };
  return { planned: { ...common, ...replacement, action: "replace", reason }, diagnostics };
}

interface Question {
  readonly phase: LifecyclePhase;
  readonly before: Value;
  readonly config: Value;
  readonly private: Uint8Array | undefined;
  readonly identity?: Value | undefined;
}

/** The provider's plan, of the right type; nothing where there are errors. */
async function askForPlan(
  type: ResourceType,
  question: Question,
  options: OperationOptions,
  diagnostics: Diagnostic[],
): Promise<{ readonly response: PlanResourceChangeResponse; readonly proposed: Value } | undefined> {
  enter(question.phase, type, options);
  const proposed = proposedNew(type.schema.block, question.before, question.config);
  const response = await type.provider.planResourceChange(
    {
      typeName: type.typeName,
      priorState: question.before,
      proposedNewState: proposed,
      config: question.config,
      priorPrivate: question.private ?? new Uint8Array(),
      clientCapabilities: clientCapabilitiesOf(options),
      ...withProviderMeta(options),
      ...identityAs("priorIdentity", question.identity),
    },
    callOptions(options),
  );
  // Warnings of the second plan repeat those of the first.
  if (question.phase === "plan" || hasErrors(response.diagnostics)) diagnostics.push(...response.diagnostics);
  if (hasErrors(response.diagnostics)) return undefined;
  const faults = [
    ...objectFaults(type, "Provider produced invalid plan", response.plannedState, "planned", addressOf(type, options)),
    ...(response.plannedState.type.kind === "object" ? writeOnlyFaults(type, response.plannedState) : []),
  ];
  diagnostics.push(...faults);
  return faults.length > 0 ? undefined : { response, proposed };
}

/** Whether the provider planned only what it may. */
function checkPlan(
  type: ResourceType,
  before: Value,
  config: Value,
  response: PlanResourceChangeResponse,
  options: OperationOptions,
  diagnostics: Diagnostic[],
): boolean {
  const problems = assertPlanValid(type.schema.block, before, config, response.plannedState);
  const address = addressOf(type, options);
  if (response.legacyTypeSystem) {
    for (const problem of problems) options.observer?.onTolerated?.(`planned an invalid value: ${formatProblem(problem)}`, address);
    return true;
  }
  for (const problem of problems) {
    diagnostics.push(providerFault(type, "Provider produced invalid plan", `planned an invalid value for ${problemAt(address, problem)}`));
  }
  return problems.length === 0;
}

function replacementPaths(
  type: ResourceType,
  before: Value,
  after: Value,
  response: PlanResourceChangeResponse,
  options: OperationOptions,
  diagnostics: Diagnostic[],
): readonly Path[] | undefined {
  const { paths, problems } = filterRequiresReplace(type.schema.block, before, after, response.requiresReplace);
  for (const problem of problems) {
    const what = `has indicated "requires replacement" on ${addressOf(type, options)} for a non-existent attribute path ${formatPath(problem.path)}`;
    diagnostics.push(providerFault(type, "Provider produced invalid plan", what));
  }
  return problems.length > 0 ? undefined : paths;
}

function replaceReason(
  type: ResourceType,
  before: Value,
  after: Value,
  paths: readonly Path[],
  options: PlanChangeOptions,
): "requested" | "cannotUpdate" | undefined {
  if (options.forceReplace) return "requested";
  if (paths.length === 0) return undefined;
  // Nothing shows of a write-only attribute's change, so that alone must not make it look like no change.
  const changed = equals(after, before).payload !== true || paths.some((path) => attributeAt(type.schema.block, path)?.writeOnly);
  return changed ? "cannotUpdate" : undefined;
}

function deferralOf(response: PlanResourceChangeResponse, options: OperationOptions): Pick<PlannedChange, "deferred"> {
  return response.deferred && clientCapabilitiesOf(options).deferralAllowed ? { deferred: response.deferred } : {};
}
