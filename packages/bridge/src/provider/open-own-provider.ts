// SPDX-License-Identifier: Apache-2.0
import { stoppingProvider, traced } from "@tenon/plugin-host";
import type { Provider } from "@tenon/schema";
import { recordedProvider } from "../recording/recorded-provider.ts";
import type { ProviderSelection } from "./provider-selection.ts";
import type { OpenSettings, SelectedProvider } from "./selected-provider.ts";

/** Opens a provider that runs in this process. Loads no code that installs or launches other providers, so that plugins do not package it. */
export async function openOwnProvider(
  provider: Provider,
  { name, version }: { readonly name: string; readonly version: string },
  { environment, onLog, logLevel, stopGraceMs, secrets }: OpenSettings,
): Promise<SelectedProvider> {
  const opened = stoppingProvider(traced(provider, { name, onLog, logLevel }), stopGraceMs);
  const pinned: ProviderSelection = { source: { kind: "address", address: name, version }, includes: [], excludes: [], packageName: name };
  return { provider: await recordedProvider(opened, environment, secrets), address: name, type: name, version, pinned };
}
