// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import type { ProviderResponse } from "./response.ts";

/** One call to both providers. */
export interface Call {
  readonly rpc: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** Kind of the call: create, update, no-op, …, and further facts about a plan. */
  readonly sort: (theirs: ProviderResponse) => string;
  readonly ask: (provider: Provider, side: Side) => Promise<ProviderResponse>;
  /** Texts of the cores' rules that a response without errors breaks. */
  readonly broken?: (answer: ProviderResponse) => readonly string[];
}

/** The provider on the framework, and the one on provider-sdk. */
export type Side = "theirs" | "ours";

/** Responses of both providers. */
export type Responses = Readonly<Record<Side, ProviderResponse>>;

/** Calls both providers and reports the differences. */
export type CallBoth = (call: Call) => Promise<Responses>;
