// SPDX-License-Identifier: Apache-2.0
import { SdkError } from "../error.ts";
import type { Unknown } from "@tenon/schema";
import type { Awaitable, ReportError, ReportWarning, ResourceCall, ValidateContext } from "./call-context.ts";
import type { DeferrableCall } from "./defer.ts";
import type { Identity, IdentifyingCall, IdentityTypes } from "./identity.ts";
import type { ImportContext, Importer } from "./import-state.ts";
import type { ProviderMeta } from "./module-meta.ts";
import type { MoveContext } from "./move-state.ts";
import type { AttributePath, Config, Planned, Result, Schema, State, ValidSchema, Views } from "./schema.ts";
import type { IdentityUpgraders } from "./upgrade-identity.ts";
import type { StateUpgraders } from "./upgrade-state.ts";
import type { ConfigRule } from "./config-rule.ts";

/** Recorded state that may be incomplete: after an import or a failed create, only the attributes `K` are guaranteed to be set. */
export interface RecordedView<S extends Schema, K> {
  readonly state: { readonly [N in keyof State<S>]: N extends K ? State<S>[N] : State<S>[N] | null };
}

/** The argument of `saveState`: the attributes `K`, and any others that are known so far. */
export type SavedState<S extends Schema, K> = { readonly [N in keyof State<S> as N extends K ? N : never]: State<S>[N] } & {
  readonly [N in keyof State<S> as N extends K ? never : N]?: State<S>[N] | Unknown | null;
};

/** Context of a resource's `create` handler. */
export interface CreateContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}> extends ResourceCall<C>, IdentifyingCall<I> {
  /** The configuration. Only here do write-only attributes have their values. */
  readonly config: Config<S>;
  readonly planned: Planned<S>;
  /** The module's `provider_meta`, for `moduleMeta(…).read`. */
  readonly meta: ProviderMeta;
  /** Returns its argument. In a handler with a block body, it makes the compiler report an error at the attribute that causes it. */
  readonly result: (state: Result<S>) => Result<S>;
  /** Saves partial state in case the handler fails later. Attributes that are missing or unknown are recorded as null. */
  readonly saveState: (partial: SavedState<S, K>) => void;
  readonly error: ReportError<S>;
  readonly warn: ReportWarning<S>;
}

/** Context of handlers that receive recorded state. */
export interface RecordedContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}> extends ResourceCall<C> {
  readonly state: RecordedView<S, K>["state"];
  /** The module's `provider_meta`, for `moduleMeta(…).read`. */
  readonly meta: ProviderMeta;
  /** The recorded identity; null if none is recorded, as for resources that were created before the type had an identity. */
  readonly identity: Identity<I> | null;
  readonly warn: ReportWarning<S>;
}

/** Context of a resource's `read` handler. */
export interface ReadContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}>
  extends RecordedContext<C, S, K, I>, IdentifyingCall<I>, DeferrableCall {}

/** Context of a resource's `update` handler. */
export interface UpdateContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}> extends CreateContext<C, S, K, I> {
  readonly state: State<S>;
  /** The recorded identity; null if none is recorded. */
  readonly identity: Identity<I> | null;
}

/** Context of a resource's `delete` handler. */
export interface DeleteContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}> extends RecordedContext<C, S, K, I> {}

/**
 * Sets planned values: one by its path, or several by name. The values are an argument and not a result of `plan`, because the compiler
 * rejects unknown names only in arguments.
 */
export interface SetPlanned<S extends Schema> {
  (attribute: AttributePath<S>, value: unknown): void;
  (values: Partial<Views<S>["draft"]>): void;
}

/** Context of a resource's `plan` handler. */
export interface PlanContext<C, S extends Schema, I extends IdentityTypes = {}>
  extends ResourceCall<C>, DeferrableCall, IdentifyingCall<I> {
  readonly config: Views<S>["configDraft"];
  readonly planned: Views<S>["draft"];
  /** The module's `provider_meta`, for `moduleMeta(…).read`. */
  readonly meta: ProviderMeta;
  /** Null on create. */
  readonly state: State<S> | null;
  /** Sets planned values. To change a value inside a set, set the whole set: set elements have no keys. */
  readonly set: SetPlanned<S>;
  /** Requires a replacement of the resource for a change of this attribute. Has no effect if the attribute does not change. */
  readonly requireReplace: (attribute: AttributePath<S>) => void;
  readonly error: ReportError<S>;
  readonly warn: ReportWarning<S>;
}

/** Context of a resource's `planDestroy` handler, which runs before the practitioner approves the destroy. */
export interface PlanDestroyContext<C, S extends Schema, K = keyof S, I extends IdentityTypes = {}>
  extends RecordedContext<C, S, K, I>, DeferrableCall {
  readonly error: ReportError<S>;
  readonly warn: ReportWarning<S>;
}

/**
 * Use in place of an `update` handler: every change replaces the resource.
 *
 * A function that is compared by reference, and not the literal "replace": with a union type, the compiler would no longer report
 * errors at the incorrect property inside an `update` handler.
 */
export const replaceInstead: (context: unknown) => never = () => {
  throw new SdkError("NEVER_CALLED", "replaceInstead takes the place of an update handler and is never called");
};

/** The definition of a managed resource. */
export interface ResourceDefinition<C, S extends Schema, K extends string, I extends IdentityTypes = {}> {
  /** Description for the documentation. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that use the resource: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  /** Version of the schema. Increase it when recorded state needs an upgrade. Default: 0. */
  readonly version?: number;
  readonly schema: S & ValidSchema<S>;
  /** The identity of the resource in the remote system. Terraform and OpenTofu 1.12 record it and can import by it. */
  readonly identity?: I;
  /** Version of the identity. Increase it when recorded identities need an upgrade. Default: 0. */
  readonly identityVersion?: number;
  /** Identity upgraders by the version that they upgrade from. They are chained like state upgraders. */
  readonly upgradeIdentity?: IdentityUpgraders;
  /** Allows an update or a read to change the identity. Default: a changed identity is an error. */
  readonly mutableIdentity?: boolean;
  /** Rules about several attributes: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Validates the configuration after the schema's own checks have passed. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /** Adjusts a plan after defaults, unknown values and plan modifiers have been applied. Not called for a destroy. */
  readonly plan?: (context: PlanContext<C, S, I>) => Awaitable<void>;
  /** Adds warnings to the plan of a destroy, or rejects it. */
  readonly planDestroy?: (context: PlanDestroyContext<C, S, K, I>) => Awaitable<void>;
  readonly create: (context: CreateContext<C, S, K, I>) => Awaitable<Result<S>>;
  /** Returns the current state, or undefined if the resource no longer exists. */
  readonly read: (context: ReadContext<C, S, K, I>) => Awaitable<Result<S> | undefined>;
  /** Updates the resource; or `replaceInstead`. Required, because a forgotten update handler must not cause replacements. */
  readonly update: (context: UpdateContext<C, S, K, I>) => Awaitable<Result<S>>;
  readonly delete: (context: DeleteContext<C, S, K, I>) => Awaitable<void>;
  /** An importer, which sets some attributes and leaves the rest to `read`, or a function that returns the whole state. */
  readonly importState?: Importer<K> | ((context: ImportContext<C, I>) => Awaitable<Result<S> | undefined>);
  /** State upgraders by the version that they upgrade from. They are chained: each returns the state of the next version. */
  readonly upgradeState?: StateUpgraders;
  /** Converts state of another resource type, of this or another provider. Returns undefined if it does not support that type. */
  readonly moveState?: (context: MoveContext<I>) => Awaitable<Result<S> | undefined>;
}
