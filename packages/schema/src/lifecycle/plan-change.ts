// SPDX-License-Identifier: Apache-2.0
import { equals, formatPath, type Path, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { assertPlanValid } from "../change/plan-valid.ts";
import { formatRuleViolation } from "../change/rule-violation.ts";
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
  type ConfigOptions,
  type LifecyclePhase,
  type OperationOptions,
} from "./operation.ts";
import type { PlannedChange } from "./planned-change.ts";
import { objectFaults, violationAt, providerFault, writeOnlyFaults } from "./provider-fault.ts";
import type { ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";
import { validateConfig } from "./validate-config.ts";

/** Options of {@link planChange}. */
export interface PlanChangeOptions extends ConfigOptions {
  /** Prior object, of the current schema version; absent where none exists. */
  readonly prior?: ResourceObject | undefined;
  /** Configuration: unmarked, of the type's implied type. It may hold unknown values. */
  readonly config: Value;
  /** Whether the object is replaced even if it could be updated or is unchanged. Default: false. */
  readonly forceReplace?: boolean;
  /**
   * Restores the prior values at the paths of `ignore_changes`. Called with the configuration, and with the plan of a provider that is
   * built on the legacy SDK. The second plan of a replacement uses the whole configuration.
   */
  readonly ignoreChanges?: (prior: Value, value: Value, of: "config" | "planned") => Value;
}

/** Result of a plan. `planned` is absent where diagnostics hold errors. */
export interface PlanOutcome {
  readonly planned?: PlannedChange;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans a create, an update or a replacement, as the cores do: has the provider validate the configuration, merges it with the prior state, has the provider plan the result, and checks the plan against the rules. A tainted object is planned as a new one, and replaced. For a change
 * that cannot be made in place the provider plans a second time, without the prior state.
 *
 * @throws ProviderError where a call fails.
 * @see OpenTofu node_resource_abstract_instance.go, plan
 */
export async function planChange(type: ResourceType, options: PlanChangeOptions): Promise<PlanOutcome> {
  const { prior, config } = options;
  const diagnostics: Diagnostic[] = options.configValidated === true ? [] : [...(await validateConfig(type, config, options))];
  if (hasErrors(diagnostics)) return { diagnostics };

  const nothing = valueOf(impliedType(type.schema.block), null);
  const usable = prior?.status === "ready" ? prior : undefined;
  const before = usable?.value ?? nothing;
  const effective = options.ignoreChanges?.(before, config, "config") ?? config;
  const first = await requestPlan(
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
    // The plan of a tainted object is that of a new one already.
    return {
      planned: { ...common, ...planned, ...(prior ? { action: "replace", reason: "tainted" } : { action: "create" }) },
      diagnostics,
    };
  }
  const reason = replaceReason(type, before, after, requiresReplace, options);
  if (reason === undefined) {
    return { planned: { ...common, ...planned, action: equals(after, before).payload === true ? "noOp" : "update" }, diagnostics };
  }
  const again = await requestPlan(
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

interface PlanRequest {
  readonly phase: LifecyclePhase;
  readonly before: Value;
  readonly config: Value;
  readonly private: Uint8Array | undefined;
  readonly identity?: Value | undefined;
}

/** Requests a plan and checks its type. Returns undefined where there are errors. */
async function requestPlan(
  type: ResourceType,
  request: PlanRequest,
  options: OperationOptions,
  diagnostics: Diagnostic[],
): Promise<{ readonly response: PlanResourceChangeResponse; readonly proposed: Value } | undefined> {
  enter(request.phase, type, options);
  const proposed = proposedNew(type.schema.block, request.before, request.config);
  const response = await type.provider.planResourceChange(
    {
      typeName: type.typeName,
      priorState: request.before,
      proposedNewState: proposed,
      config: request.config,
      priorPrivate: request.private ?? new Uint8Array(),
      clientCapabilities: clientCapabilitiesOf(options),
      ...withProviderMeta(options),
      ...identityAs("priorIdentity", request.identity),
    },
    callOptions(options),
  );
  // Warnings of the second plan repeat those of the first.
  if (request.phase === "plan" || hasErrors(response.diagnostics)) diagnostics.push(...response.diagnostics);
  if (hasErrors(response.diagnostics)) return undefined;
  const faults = [
    ...objectFaults(type, "Provider produced invalid plan", response.plannedState, "planned", addressOf(type, options)),
    ...(response.plannedState.type.kind === "object" ? writeOnlyFaults(type, response.plannedState) : []),
  ];
  diagnostics.push(...faults);
  return faults.length > 0 ? undefined : { response, proposed };
}

/** Whether the plan breaks no rule. Violations are added to the diagnostics. */
function checkPlan(
  type: ResourceType,
  before: Value,
  config: Value,
  response: PlanResourceChangeResponse,
  options: OperationOptions,
  diagnostics: Diagnostic[],
): boolean {
  const violations = assertPlanValid(type.schema.block, before, config, response.plannedState);
  const address = addressOf(type, options);
  if (response.legacyTypeSystem) {
    for (const violation of violations)
      options.observer?.onTolerated?.(`planned an invalid value: ${formatRuleViolation(violation)}`, address);
    return true;
  }
  for (const violation of violations) {
    diagnostics.push(
      providerFault(type, "Provider produced invalid plan", `planned an invalid value for ${violationAt(address, violation)}`),
    );
  }
  return violations.length === 0;
}

function replacementPaths(
  type: ResourceType,
  before: Value,
  after: Value,
  response: PlanResourceChangeResponse,
  options: OperationOptions,
  diagnostics: Diagnostic[],
): readonly Path[] | undefined {
  const { paths, violations } = filterRequiresReplace(type.schema.block, before, after, response.requiresReplace);
  for (const violation of violations) {
    const what = `has indicated "requires replacement" on ${addressOf(type, options)} for a non-existent attribute path ${formatPath(violation.path)}`;
    diagnostics.push(providerFault(type, "Provider produced invalid plan", what));
  }
  return violations.length > 0 ? undefined : paths;
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
  // A change of a write-only attribute is not visible in the values.
  const changed = equals(after, before).payload !== true || paths.some((path) => attributeAt(type.schema.block, path)?.writeOnly);
  return changed ? "cannotUpdate" : undefined;
}

function deferralOf(response: PlanResourceChangeResponse, options: OperationOptions): Pick<PlannedChange, "deferred"> {
  return response.deferred && clientCapabilitiesOf(options).deferralAllowed ? { deferred: response.deferred } : {};
}
