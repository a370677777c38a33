// SPDX-License-Identifier: Apache-2.0
import type { ProviderFactory } from "@tenon/schema";

/** A definition that opens instances of its provider in this process, such as one of `@tenon/provider-sdk`. */
export interface OpenableProvider {
  readonly open: ProviderFactory;
}

/** A provider that a caller passes: a factory, or a definition. */
export type ProviderOption = ProviderFactory | OpenableProvider;

/** The factory of a provider that a caller passes. */
export function factoryOf(option: ProviderOption): ProviderFactory {
  return typeof option === "function" ? option : option.open;
}
