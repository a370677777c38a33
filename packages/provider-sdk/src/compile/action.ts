// SPDX-License-Identifier: Apache-2.0
import { compileComponent, type ConfiguredComponent, type WrittenComponent } from "./component.ts";
import type { CompiledProvider, Handler } from "./provider.ts";

/** An action, checked. */
export interface CompiledAction extends ConfiguredComponent {
  readonly kind: "action";
  readonly plan?: Handler;
  readonly invoke: Handler;
}

const kind = { role: "action", needed: ["invoke"], possible: ["plan"] } as const;

/** Compiles an action. @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileAction(provider: CompiledProvider, name: string, written: WrittenComponent): CompiledAction {
  return { kind: "action", ...compileComponent(kind, provider, name, written) };
}
