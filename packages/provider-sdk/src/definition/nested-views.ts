// SPDX-License-Identifier: Apache-2.0
import type { Unknown } from "@tenon/schema";
import type { Repeated, Schema, Views } from "./schema.ts";
import type { ValueViews } from "./value-views.ts";

interface RepeatedDraft<X> {
  single: X;
  group: X;
  list: readonly (X | Unknown)[];
  set: readonly (X | Unknown)[];
  map: Readonly<Record<string, X | Unknown>>;
}

/** Nesting mode of a nested attribute or block. Only blocks have `group`: a single block that is never null. */
export type Nesting = keyof Repeated<unknown>;

/** The type of a nested attribute's or block's value with nesting mode `K`, in each context. */
export interface NestedViews<K extends Nesting, S extends Schema> extends ValueViews {
  readonly config: Repeated<Views<S>["config"]>[K];
  readonly configDraft: RepeatedDraft<Views<S>["configDraft"]>[K];
  readonly planned: Repeated<Views<S>["planned"]>[K];
  readonly draft: RepeatedDraft<Views<S>["draft"]>[K];
  readonly state: Repeated<Views<S>["state"]>[K];
  readonly result: Repeated<Views<S>["result"]>[K];
}
