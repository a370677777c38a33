// SPDX-License-Identifier: Apache-2.0
import type { ProviderFactory } from "@tenon/schema";

/** A definition that opens instances of its provider in this process, such as one of `@tenon/provider-sdk`. */
export interface OpenableProvider {
  readonly open: ProviderFactory;
}

/** How a caller hands over a provider: a factory, or a definition. */
export type ProviderOption = ProviderFactory | OpenableProvider;

/** The factory of a provider that a caller handed over. */
export function factoryOf(option: ProviderOption): ProviderFactory {
  return typeof option === "function" ? option : option.open;
}
