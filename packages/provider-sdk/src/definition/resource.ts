// SPDX-License-Identifier: Apache-2.0
import { SdkError } from "../error.ts";
import type { Unknown } from "../unknown.ts";
import type { Awaitable, ReportError, ResourceCall, ValidateContext } from "./call-context.ts";
import type { ImportContext, Importer } from "./import-state.ts";
import type { MoveContext } from "./move-state.ts";
import type { Answer, AttributePath, Config, Planned, Schema, Sound, State, Views } from "./schema.ts";
import type { StateUpgraders } from "./upgrade-state.ts";

/** Recorded state that may be incomplete: after an import, or a create that failed half-way, only `K` is certain. */
export interface RecordedView<S extends Schema, K> {
  readonly state: { readonly [N in keyof State<S>]: N extends K ? State<S>[N] : State<S>[N] | null };
}

/** Partial state worth keeping: `K`, and what else is there by now. */
export type Saved<S extends Schema, K> = { readonly [N in keyof State<S> as N extends K ? N : never]: State<S>[N] } & {
  readonly [N in keyof State<S> as N extends K ? never : N]?: State<S>[N] | Unknown | null;
};

export interface CreateContext<C, S extends Schema, K = keyof S> extends ResourceCall<C> {
  /** What the practitioner wrote; the only place with the values of write-only attributes. */
  readonly config: Config<S>;
  readonly planned: Planned<S>;
  /** Answers its argument. In a handler with a block body it makes the compiler point at the wrong attribute. */
  readonly answer: (state: Answer<S>) => Answer<S>;
  /** Keeps what exists already, in case this handler fails later on. What is not given, or unknown, is kept as null. */
  readonly saveState: (partial: Saved<S, K>) => void;
  readonly error: ReportError<S>;
}

export interface ReadContext<C, S extends Schema, K = keyof S> extends ResourceCall<C> {
  readonly state: RecordedView<S, K>["state"];
}

export interface UpdateContext<C, S extends Schema, K = keyof S> extends CreateContext<C, S, K> {
  readonly state: State<S>;
}

export interface DeleteContext<C, S extends Schema, K = keyof S> extends ReadContext<C, S, K> {}

export interface PlanContext<C, S extends Schema> extends ResourceCall<C> {
  readonly config: Views<S>["configDraft"];
  readonly planned: Views<S>["draft"];
  /** Null on create. */
  readonly state: State<S> | null;
  /** An argument and not an answer: the compiler refuses unknown names only in an argument. */
  readonly set: (values: Partial<Views<S>["draft"]>) => void;
  /** A change at this attribute cannot be made in place. Without effect where it does not change. */
  readonly requireReplace: (attribute: AttributePath<S>) => void;
  readonly error: ReportError<S>;
}

/** Asked before a resource is destroyed, while the practitioner can still say no. */
export interface PlanDestroyContext<C, S extends Schema, K = keyof S> extends ReadContext<C, S, K> {
  readonly error: ReportError<S>;
}

/**
 * Takes the place of `update`: every change to a configured attribute replaces the resource.
 *
 * A function, recognised by identity, and not the literal "replace": beside a union the compiler no longer
 * points at the wrong property inside an `update` handler.
 */
export const replaceInstead: (context: unknown) => never = () => {
  throw new SdkError("NEVER_CALLED", "replaceInstead takes the place of an update handler and is never called");
};

/** A managed resource. */
export interface ResourceDefinition<C, S extends Schema, K extends string> {
  /** What it is. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever uses the resource is warned with it. */
  readonly deprecated?: string;
  /** Raised when recorded state has to be upgraded. Default 0. */
  readonly version?: number;
  readonly schema: S & Sound<S>;
  /** Asked when everything the schema itself says holds. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /** Adjusts a plan, after defaults, unknowns and plan modifiers. Not asked for a destroy. */
  readonly plan?: (context: PlanContext<C, S>) => Awaitable<void>;
  /** Warns before a destroy, or refuses it. */
  readonly planDestroy?: (context: PlanDestroyContext<C, S, K>) => Awaitable<void>;
  readonly create: (context: CreateContext<C, S, K>) => Awaitable<Answer<S>>;
  /** Undefined: it is gone. */
  readonly read: (context: ReadContext<C, S, K>) => Awaitable<Answer<S> | undefined>;
  /** Or `replaceInstead`. Never optional: a forgotten update must not destroy anything. */
  readonly update: (context: UpdateContext<C, S, K>) => Awaitable<Answer<S>>;
  readonly delete: (context: DeleteContext<C, S, K>) => Awaitable<void>;
  /** An importer leaves the rest to `read`; a function answers the whole state. */
  readonly importState?: Importer<K> | ((context: ImportContext<C>) => Awaitable<Answer<S> | undefined>);
  /** By the version the state was written with. They are chained: each answers the state of the version above its own. */
  readonly upgradeState?: StateUpgraders;
  /** Takes over state of another resource type, also of another provider; undefined: not this one. */
  readonly moveState?: (context: MoveContext) => Awaitable<Answer<S> | undefined>;
}
