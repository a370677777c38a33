// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import { impliedType } from "../model/implied-type.ts";
import { checkAppliedValue } from "./applied-value.ts";
import { addressOf, enter, identityAs, withProviderMeta, type OperationOptions } from "./operation.ts";
import { createStep, destroyStep, type PlannedChange } from "./planned-change.ts";
import { replanChange } from "./replan-change.ts";
import { createResourceObject, type ResourceObject } from "./resource-object.ts";
import { callOptions, type ResourceType } from "./resource-type.ts";

/** How a plan is carried out. */
export interface ApplyChangeOptions extends OperationOptions {
  /** The configuration, of which everything is known by now. Not needed to delete. */
  readonly config?: Value;
  /**
   * Plans again before applying, and refuses where the provider does not stand by its plan: what the cores do, since the
   * configuration may hold values that were unknown when the plan was made.
   */
  readonly replan?: boolean;
  /** As for the plan; used where it is made again. */
  readonly ignoreChanges?: (prior: Value, value: Value, of: "config" | "planned") => Value;
}

/** What exists afterwards, errors or not. */
export interface ApplyOutcome {
  /** Absent where nothing exists. To be saved in any case: it may be half made. */
  readonly object?: ResourceObject;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Carries out a planned change, as the cores do, and holds the result against the plan. A replacement deletes first and creates
 * then; who needs it the other way round applies {@link createStep} and {@link destroyStep} separately.
 *
 * - An error in a create leaves the object that came of it tainted.
 * - An error with no object in the answer leaves the prior object as it was.
 * - To end it in good order call the provider's `stop()` and wait; `options.signal` gives the call up, and what exists then is not
 *   known.
 *
 * @throws ProviderError where the provider cannot be asked, or does not answer. Within a replacement the deletion may have been
 *   done: `observer.onObject` has been told.
 * @see OpenTofu node_resource_abstract_instance.go, apply
 */
export async function applyChange(type: ResourceType, planned: PlannedChange, options: ApplyChangeOptions = {}): Promise<ApplyOutcome> {
  switch (planned.action) {
    case "noOp":
      return { ...objectOf(planned.prior), diagnostics: [] };
    case "delete":
      return await applyStep(type, planned, options);
    case "replace":
      return await applyReplacement(type, planned, options);
    default:
      return await applyFinal(type, planned, options);
  }
}

async function applyReplacement(type: ResourceType, planned: PlannedChange, options: ApplyChangeOptions): Promise<ApplyOutcome> {
  const destroyed = await applyStep(type, destroyStep(planned), options);
  if (hasErrors(destroyed.diagnostics)) return destroyed;
  const created = await applyFinal(type, createStep(planned), options);
  return { ...objectOf(created.object), diagnostics: [...destroyed.diagnostics, ...created.diagnostics] };
}

/** A create or update, once the plan has been confirmed where that is asked for. */
async function applyFinal(type: ResourceType, planned: PlannedChange, options: ApplyChangeOptions): Promise<ApplyOutcome> {
  const { config } = options;
  const address = addressOf(type, options);
  if (config === undefined) throw new TypeError(`to ${planned.action} ${address} takes its configuration`);
  if (!isWhollyKnown(config)) {
    const detail = `The configuration of ${address} still holds unknown values. Everything must be known before it is applied.`;
    return { ...objectOf(planned.prior), diagnostics: [errorDiagnostic("Configuration contains unknown value", detail)] };
  }
  if (!options.replan) return await applyStep(type, planned, options);
  const final = await replanChange(type, planned, { ...options, config });
  if (final.planned === undefined || hasErrors(final.diagnostics)) return { ...objectOf(planned.prior), diagnostics: final.diagnostics };
  if (final.planned.action === "noOp") return { ...objectOf(planned.prior), diagnostics: final.diagnostics };
  const applied = await applyStep(type, final.planned, options);
  return { ...objectOf(applied.object), diagnostics: [...final.diagnostics, ...applied.diagnostics] };
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
  await options.observer?.onObject?.(object, addressOf(type, options));
  return { ...objectOf(object), diagnostics: checked.diagnostics };
}

function outcome(
  type: ResourceType,
  action: "create" | "update" | "delete",
  prior: ResourceObject | undefined,
  checked: { readonly value: Value | undefined; readonly diagnostics: readonly Diagnostic[] },
  response: { readonly private: Uint8Array; readonly newIdentity?: Value },
): ResourceObject | undefined {
  const failed = hasErrors(checked.diagnostics);
  // Without a value that can be saved the object is taken to be as it was; the next read finds out.
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
