// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, type Value } from "@tenon/cty";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { InvokeActionEvent } from "../messages/action.ts";
import type { Deferred } from "../messages/common.ts";
import { addressOf, clientCapabilitiesOf, enter, type ConfigOptions } from "./operation.ts";
import { providerFault } from "./provider-fault.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";
import { validateActionConfig, validateOnce } from "./validate-config.ts";

/** Result of planning an action. */
export interface PlanActionOutcome {
  /** Reason for which the action was deferred. Only where the caller allowed deferral. */
  readonly deferred?: Deferred;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Validates and plans an action without invoking it. The configuration may hold unknown values.
 *
 * @throws ProviderError where a call fails.
 */
export async function planAction(type: ComponentType, config: Value, options: ConfigOptions = {}): Promise<PlanActionOutcome> {
  const { provider, typeName } = type;
  const validated = await validateOnce(validateActionConfig, type, config, options);
  if (hasErrors(validated)) return { diagnostics: validated };
  enter("planAction", type, options);
  const clientCapabilities = clientCapabilitiesOf(options);
  const planned = await provider.planAction({ actionType: typeName, config, clientCapabilities }, callOptions(options));
  const diagnostics = [...validated, ...planned.diagnostics];
  return planned.deferred && clientCapabilities.deferralAllowed ? { deferred: planned.deferred, diagnostics } : { diagnostics };
}

/**
 * Plans an action, and invokes it if the plan has no errors. The last event is `completed` and carries all diagnostics, also where the
 * provider ends the stream without that event.
 *
 * @param config - The wholly known configuration.
 * @throws ProviderError where a call fails. After a failed invocation, the effects of the action are not known.
 */
export async function* invokeAction(
  type: ComponentType,
  config: Value,
  options: ConfigOptions = {},
): AsyncGenerator<InvokeActionEvent, void> {
  const address = addressOf(type, options);
  if (!isWhollyKnown(config)) {
    const detail = `The configuration of ${address} still holds unknown values. All values must be known before it is invoked.`;
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
  const fault = providerFault(type, "Action did not complete", `ended ${address} without reporting its completion`);
  yield { kind: "completed", diagnostics: [...diagnostics, fault] };
}
