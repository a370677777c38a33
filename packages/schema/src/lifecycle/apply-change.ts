// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import { impliedType } from "../model/implied-type.ts";
import { checkAppliedValue } from "./applied-value.ts";
import { addressOf, enter, identityAs, withProviderMeta, type ConfigOptions } from "./operation.ts";
import { createStep, destroyStep, type PlannedChange } from "./planned-change.ts";
import { replanChange } from "./replan-change.ts";
import type { MarkSensitive } from "./sensitive-violations.ts";
import { createResourceObject, type ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";

/** Options of {@link applyChange}. `configValidated` is about the validation before a second plan. */
export interface ApplyChangeOptions extends ConfigOptions {
  /** The wholly known configuration. Not needed to delete. */
  readonly config?: Value;
  /**
   * Whether the change is planned again before it is applied, and refused where the second plan contradicts the first. The cores do
   * this, since the configuration may hold values that were unknown when the first plan was made. Default: false.
   */
  readonly replan?: boolean;
  /** As for {@link planChange}; used for the second plan. */
  readonly ignoreChanges?: (prior: Value, value: Value, of: "config" | "planned") => Value;
  /** Marks the sensitive parts of a value, so that no error shows them. Default: only the schema says what is sensitive. */
  readonly markSensitive?: MarkSensitive;
}

/** Result of an apply. */
export interface ApplyOutcome {
  /**
   * - `applied`: the provider made the change.
   * - `failed`: the provider received the request to make the change, and diagnostics hold errors.
   * - `notSent`: the provider received no request to change anything: the change is a no-op, or diagnostics report why it was refused.
   */
  readonly status: "applied" | "failed" | "notSent";
  /** The object that exists now according to the provider; absent where none exists. Save it whatever the status: after `failed` it may
   * be incomplete. The prior object for `notSent`.
   */
  readonly object?: ResourceObject;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies a planned change, as the cores do, and checks the result against the plan. A replacement deletes the old object before it
 * creates the new one; to create first, apply {@link createStep} and {@link destroyStep} separately.
 *
 * - After an error in a create, the object in the response is tainted.
 * - After an error without an object in the response, the prior object is kept.
 * - To stop the change gracefully, call the provider's `stop()` and wait for the result. `options.signal` cancels the call; what exists
 *   then is not known.
 *
 * @throws ProviderError where a call fails. Its `requestSent` is false where the provider certainly has not received the request to
 *   change the object; where it is true, what exists is not known. In a replacement the old object may be deleted already:
 *   `observer.onObject` has been called then.
 * @see OpenTofu node_resource_abstract_instance.go, apply
 */
export async function applyChange(type: ResourceType, planned: PlannedChange, options: ApplyChangeOptions = {}): Promise<ApplyOutcome> {
  switch (planned.action) {
    case "noOp":
      return { status: "notSent", ...objectOf(planned.prior), diagnostics: [] };
    case "delete":
      return await applyStep(type, planned, options);
    case "replace":
      return await applyReplacement(type, planned, options);
    default:
      return await applyFinal(type, planned, options);
  }
}

async function applyReplacement(type: ResourceType, planned: PlannedChange, options: ApplyChangeOptions): Promise<ApplyOutcome> {
  // Checked before the old object is deleted.
  const refusal = unknownConfigRefusal(type, planned, requiredConfig(type, planned, options), options);
  if (refusal !== undefined) return refusal;
  const destroyed = await applyStep(type, destroyStep(planned), options);
  if (hasErrors(destroyed.diagnostics)) return destroyed;
  const created = await applyFinal(type, createStep(planned), options);
  return {
    status: created.status === "applied" ? "applied" : "failed",
    ...objectOf(created.object),
    diagnostics: [...destroyed.diagnostics, ...created.diagnostics],
  };
}

/** Applies a create or an update, after a second plan if the options request it. */
async function applyFinal(type: ResourceType, planned: PlannedChange, options: ApplyChangeOptions): Promise<ApplyOutcome> {
  const config = requiredConfig(type, planned, options);
  const refusal = unknownConfigRefusal(type, planned, config, options);
  if (refusal !== undefined) return refusal;
  if (!options.replan) return await applyStep(type, planned, options);
  const final = await beforeRequest(replanChange(type, planned, { ...options, config }));
  if (final.planned === undefined || hasErrors(final.diagnostics) || final.planned.action === "noOp") {
    return { status: "notSent", ...objectOf(planned.prior), diagnostics: final.diagnostics };
  }
  const applied = await applyStep(type, final.planned, options);
  return { ...applied, diagnostics: [...final.diagnostics, ...applied.diagnostics] };
}

function requiredConfig(type: ResourceType, planned: PlannedChange, options: ApplyChangeOptions): Value {
  if (options.config === undefined) throw new TypeError(`a plan to ${planned.action} ${addressOf(type, options)} needs its configuration`);
  return options.config;
}

function unknownConfigRefusal(
  type: ResourceType,
  planned: PlannedChange,
  config: Value,
  options: ApplyChangeOptions,
): ApplyOutcome | undefined {
  if (isWhollyKnown(config)) return undefined;
  const detail = `The configuration of ${addressOf(type, options)} still holds unknown values. All values must be known before it is applied.`;
  return {
    status: "notSent",
    ...objectOf(planned.prior),
    diagnostics: [errorDiagnostic("Configuration contains unknown value", detail)],
  };
}

/** Waits for a call that comes before the request to apply: where it fails, that request was not sent. */
async function beforeRequest<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof ProviderError ? error.asUnsent() : error;
  }
}

async function applyStep(type: ResourceType, planned: PlannedChange, options: ApplyChangeOptions): Promise<ApplyOutcome> {
  const { action, prior, before, after } = planned;
  if (action !== "create" && action !== "update" && action !== "delete") throw new TypeError(`${action} is not one step`);
  enter(action, type, options);
  const response = await type.provider.applyResourceChange(
    {
      typeName: type.typeName,
      priorState: before,
      plannedState: after,
      config: action === "delete" ? valueOf(impliedType(type.schema.block), null) : options.config!,
      plannedPrivate: planned.private,
      ...withProviderMeta(options),
      ...identityAs("plannedIdentity", planned.identity),
    },
    callOptions(options),
  );
  const checked = checkAppliedValue(type, planned, response, options);
  const object = outcome(type, action, prior, checked, response);
  const observed = options.observer?.onObject?.(object, addressOf(type, options));
  if (observed !== undefined) await observed;
  return { status: hasErrors(checked.diagnostics) ? "failed" : "applied", ...objectOf(object), diagnostics: checked.diagnostics };
}

function outcome(
  type: ResourceType,
  action: "create" | "update" | "delete",
  prior: ResourceObject | undefined,
  checked: { readonly value: Value | undefined; readonly diagnostics: readonly Diagnostic[] },
  response: { readonly private: Uint8Array; readonly newIdentity?: Value },
): ResourceObject | undefined {
  const failed = hasErrors(checked.diagnostics);
  // Without a value that can be saved the prior object is kept; the next read corrects it.
  if (checked.value === undefined || checked.value.payload === null) return failed ? prior : undefined;
  return createResourceObject({
    value: checked.value,
    private: response.private,
    identity: response.newIdentity ?? prior?.identity,
    status: failed && action === "create" ? "tainted" : failed ? (prior?.status ?? "ready") : "ready",
    schemaVersion: type.schema.version,
  });
}

function objectOf(object: ResourceObject | undefined): Pick<ApplyOutcome, "object"> {
  return object ? { object } : {};
}
