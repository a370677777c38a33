// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import { isSameProvider, parseProvider, type AbsoluteResource, type ProviderAddress } from "../address/index.ts";
import { StateDraft } from "../state/state-draft.ts";
import { sortedResources, type State } from "../state/state.ts";
import type { StateChange } from "./state-change.ts";

/** The result of {@link replaceProvider}. */
export interface ReplacedProvider extends StateChange {
  /** The resources whose provider was replaced. */
  readonly resources: readonly AbsoluteResource[];
}

/**
 * Replaces one provider by another in all resources of a state.
 *
 * @see OpenTofu state_replace_provider.go
 */
export function replaceProvider(state: State, from: string, to: string): ReplacedProvider {
  const diagnostics: Diagnostic[] = [];
  const [source, target] = [addressOf(from, "from", diagnostics), addressOf(to, "to", diagnostics)];
  if (source === undefined || target === undefined) return { state, diagnostics, resources: [] };
  const draft = new StateDraft(state);
  const resources: AbsoluteResource[] = [];
  for (const { address, provider } of sortedResources(state)) {
    if (!isSameProvider(provider.provider, source)) continue;
    draft.setResourceProvider(address, { ...provider, provider: target });
    resources.push(address);
  }
  return { state: draft.snapshot(), diagnostics, resources };
}

function addressOf(text: string, role: "from" | "to", diagnostics: Diagnostic[]): ProviderAddress | undefined {
  const { provider, diagnostics: problems } = parseProvider(text);
  if (provider !== undefined) return provider;
  const detail = problems.map((problem) => `${problem.summary}: ${problem.detail}`).join("\n");
  diagnostics.push({ severity: "error", summary: `Invalid "${role}" provider ${JSON.stringify(text)}`, detail });
  return undefined;
}
