// SPDX-License-Identifier: Apache-2.0
import type { ServedProvider } from "../definition/provider.ts";
import type { CompiledComponent } from "./any-component.ts";
import type { CompiledProvider } from "./provider.ts";

/** A served provider with the types of its opaque members. */
export interface CompiledServedProvider extends ServedProvider {
  readonly "~provider": CompiledProvider;
  /** Components, and functions that load one. */
  readonly "~components": readonly (CompiledComponent | (() => Promise<unknown>))[];
}

/** Returns a served provider with the types of its opaque members. Only `defineProvider` creates served providers, so the cast is safe. */
export function compiledParts(served: ServedProvider): CompiledServedProvider {
  return served as CompiledServedProvider;
}
