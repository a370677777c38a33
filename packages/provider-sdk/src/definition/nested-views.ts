// SPDX-License-Identifier: Apache-2.0
import type { Unknown } from "../unknown.ts";
import type { Repeated, Schema, Views } from "./schema.ts";
import type { ValueViews } from "./value-views.ts";

interface RepeatedDraft<X> {
  single: X;
  group: X;
  list: readonly (X | Unknown)[];
  set: readonly (X | Unknown)[];
  map: Readonly<Record<string, X | Unknown>>;
}

/** How objects repeat below a nested attribute or a block. Blocks alone have `group`: a single one that is never null. */
export type Nesting = keyof Repeated<unknown>;

/** A nested schema, repeated in the way `K` says, seen from each place. */
export interface NestedViews<K extends Nesting, S extends Schema> extends ValueViews {
  readonly config: Repeated<Views<S>["config"]>[K];
  readonly configDraft: RepeatedDraft<Views<S>["configDraft"]>[K];
  readonly planned: Repeated<Views<S>["planned"]>[K];
  readonly draft: RepeatedDraft<Views<S>["draft"]>[K];
  readonly state: Repeated<Views<S>["state"]>[K];
  readonly answer: Repeated<Views<S>["answer"]>[K];
}
