// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import type { Answer } from "./answer.ts";

/** One call that both are asked. */
export interface Call {
  readonly rpc: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** What the call is about: create, update, no-op, … and what else a plan says. */
  readonly sort: (theirs: Answer) => string;
  readonly ask: (provider: Provider, side: Side) => Promise<Answer>;
  /** Which of the cores' own rules an answer without errors breaks, in their words. */
  readonly broken?: (answer: Answer) => readonly string[];
}

/** The framework's provider, and ours. */
export type Side = "theirs" | "ours";

/** What both answered. */
export type Asked = Readonly<Record<Side, Answer>>;

/** Asks both, and enters what differs. */
export type AskBoth = (call: Call) => Promise<Asked>;
