// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { InvokeActionEvent } from "../messages/action.ts";
import type { Deferred } from "../messages/common.ts";
import { addressOf, clientCapabilitiesOf, enter, type OperationOptions } from "./operation.ts";
import { providerFault } from "./provider-fault.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";

/** What a provider says of an action before it is invoked. */
export interface PlanActionOutcome {
  /** Only where the caller allowed it. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Has an action's configuration checked and planned; it may hold unknown values. Nothing is done.
 *
 * @throws ProviderError where the provider cannot be asked.
 */
export async function planAction(type: ComponentType, config: Value, options: OperationOptions = {}): Promise<PlanActionOutcome> {
  const { provider, typeName } = type;
  enter("validate", type, options);
  const validated = await provider.validateActionConfig({ actionType: typeName, config }, callOptions(options));
  if (hasErrors(validated.diagnostics)) return validated;
  enter("planAction", type, options);
  const clientCapabilities = clientCapabilitiesOf(options);
  const planned = await provider.planAction({ actionType: typeName, config, clientCapabilities }, callOptions(options));
  const diagnostics = [...validated.diagnostics, ...planned.diagnostics];
  return planned.deferred && clientCapabilities.deferralAllowed ? { deferred: planned.deferred, diagnostics } : { diagnostics };
}

/**
 * Plans an action, and invokes it if nothing speaks against that. The last event is `completed`, and has everything that was said; where the
 * provider ends without one, it says so.
 *
 * @param config Wholly known.
 * @throws ProviderError where the provider cannot be asked, or does not answer: what it has done by then is not known.
 */
export async function* invokeAction(
  type: ComponentType,
  config: Value,
  options: OperationOptions = {},
): AsyncGenerator<InvokeActionEvent, void> {
  const address = addressOf(type, options);
  if (!isWhollyKnown(config)) {
    const detail = `The configuration of ${address} still holds unknown values. Everything must be known before it is invoked.`;
    yield { kind: "completed", diagnostics: [errorDiagnostic("Configuration contains unknown value", detail)] };
    return;
  }
  const { diagnostics } = await planAction(type, config, options);
  if (hasErrors(diagnostics)) {
    yield { kind: "completed", diagnostics };
    return;
  }
  enter("invoke", type, options);
  const request = { actionType: type.typeName, config, clientCapabilities: clientCapabilitiesOf(options) };
  for await (const event of type.provider.invokeAction(request, callOptions(options))) {
    if (event.kind === "progress") yield event;
    else {
      yield { kind: "completed", diagnostics: [...diagnostics, ...event.diagnostics] };
      return;
    }
  }
  const fault = providerFault(type, "Action did not complete", `ended ${address} without saying whether it is done`);
  yield { kind: "completed", diagnostics: [...diagnostics, fault] };
}
