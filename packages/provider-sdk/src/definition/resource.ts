// SPDX-License-Identifier: Apache-2.0
import { SdkError } from "../error.ts";
import type { Unknown } from "../unknown.ts";
import type { Awaitable, ReportError, ResourceCall, ValidateContext } from "./call-context.ts";
import type { DeferrableCall } from "./defer.ts";
import type { Identity, IdentifyingCall, IdentityTypes } from "./identity.ts";
import type { ImportContext, Importer } from "./import-state.ts";
import type { SaidMeta } from "./module-meta.ts";
import type { MoveContext } from "./move-state.ts";
import type { Answer, AttributePath, Config, Planned, Schema, Sound, State, Views } from "./schema.ts";
import type { IdentityUpgraders } from "./upgrade-identity.ts";
import type { StateUpgraders } from "./upgrade-state.ts";
import type { ConfigRule } from "../rules/rule.ts";

/** Recorded state that may be incomplete: after an import, or a create that failed half-way, only `K` is certain. */
export interface RecordedView<S extends Schema, K> {
  readonly state: { readonly [N in keyof State<S>]: N extends K ? State<S>[N] : State<S>[N] | null };
}

/** Partial state worth keeping: `K`, and what else is there by now. */
export type Saved<S extends Schema, K> = { readonly [N in keyof State<S> as N extends K ? N : never]: State<S>[N] } & {
  readonly [N in keyof State<S> as N extends K ? never : N]?: State<S>[N] | Unknown | null;
};

export interface CreateContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}> extends ResourceCall<C>, IdentifyingCall<I> {
  /** What the practitioner wrote; the only place with the values of write-only attributes. */
  readonly config: Config<S>;
  readonly planned: Planned<S>;
  /** For `moduleMeta(…).read`. */
  readonly meta: SaidMeta;
  /** Answers its argument. In a handler with a block body it makes the compiler point at the wrong attribute. */
  readonly answer: (state: Answer<S>) => Answer<S>;
  /** Keeps what exists already, in case this handler fails later on. What is not given, or unknown, is kept as null. */
  readonly saveState: (partial: Saved<S, K>) => void;
  readonly error: ReportError<S>;
}

/** Handlers of what is recorded. */
export interface RecordedContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}> extends ResourceCall<C> {
  readonly state: RecordedView<S, K>["state"];
  /** For `moduleMeta(…).read`. */
  readonly meta: SaidMeta;
  /** What is recorded of it; null where nothing is, as with resources that are older than their identity. */
  readonly identity: Identity<I> | null;
}

export interface ReadContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}>
  extends RecordedContext<C, S, K, I>, IdentifyingCall<I>, DeferrableCall {}

export interface UpdateContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}> extends CreateContext<C, S, K, I> {
  readonly state: State<S>;
  /** What is recorded of it; null where nothing is. */
  readonly identity: Identity<I> | null;
}

export interface DeleteContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}> extends RecordedContext<C, S, K, I> {}

export interface PlanContext<C, S extends Schema, I extends IdentityTypes = {}>
  extends ResourceCall<C>, DeferrableCall, IdentifyingCall<I> {
  readonly config: Views<S>["configDraft"];
  readonly planned: Views<S>["draft"];
  /** For `moduleMeta(…).read`. */
  readonly meta: SaidMeta;
  /** Null on create. */
  readonly state: State<S> | null;
  /** An argument and not an answer: the compiler refuses unknown names only in an argument. */
  readonly set: (values: Partial<Views<S>["draft"]>) => void;
  /** A change at this attribute cannot be made in place. Without effect where it does not change. */
  readonly requireReplace: (attribute: AttributePath<S>) => void;
  readonly error: ReportError<S>;
}

/** Asked before a resource is destroyed, while the practitioner can still say no. */
export interface PlanDestroyContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}>
  extends RecordedContext<C, S, K, I>, DeferrableCall {
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
export interface ResourceDefinition<C, S extends Schema, K extends string, I extends IdentityTypes = {}> {
  /** What it is. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever uses the resource is warned with it. */
  readonly deprecated?: string;
  /** Raised when recorded state has to be upgraded. Default 0. */
  readonly version?: number;
  readonly schema: S & Sound<S>;
  /** What identifies it in the remote system. Terraform and OpenTofu 1.12 record it and can import by it. */
  readonly identity?: I;
  /** Raised when recorded identities have to be upgraded. Default 0. */
  readonly identityVersion?: number;
  /** By the version the identity was recorded with. They are chained, as those of state are. */
  readonly upgradeIdentity?: IdentityUpgraders;
  /** The identity may change with an update or a read. Default: it may not, and a change of it is an error. */
  readonly mutableIdentity?: true;
  /** About more than one attribute: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Asked when everything the schema itself says holds. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /** Adjusts a plan, after defaults, unknowns and plan modifiers. Not asked for a destroy. */
  readonly plan?: (context: PlanContext<C, S, I>) => Awaitable<void>;
  /** Warns before a destroy, or refuses it. */
  readonly planDestroy?: (context: PlanDestroyContext<C, S, K, I>) => Awaitable<void>;
  readonly create: (context: CreateContext<C, S, K, I>) => Awaitable<Answer<S>>;
  /** Undefined: it is gone. */
  readonly read: (context: ReadContext<C, S, K, I>) => Awaitable<Answer<S> | undefined>;
  /** Or `replaceInstead`. Never optional: a forgotten update must not destroy anything. */
  readonly update: (context: UpdateContext<C, S, K, I>) => Awaitable<Answer<S>>;
  readonly delete: (context: DeleteContext<C, S, K, I>) => Awaitable<void>;
  /** An importer leaves the rest to `read`; a function answers the whole state. */
  readonly importState?: Importer<K> | ((context: ImportContext<C, I>) => Awaitable<Answer<S> | undefined>);
  /** By the version the state was written with. They are chained: each answers the state of the version above its own. */
  readonly upgradeState?: StateUpgraders;
  /** Takes over state of another resource type, also of another provider; undefined: not this one. */
  readonly moveState?: (context: MoveContext<I>) => Awaitable<Answer<S> | undefined>;
}
