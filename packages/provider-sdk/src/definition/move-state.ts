// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { JsonValue, PrivateState } from "./call-context.ts";
import type { IdentifyingCall, IdentityTypes } from "./identity.ts";

/** Context of a resource's `moveState` handler: a `moved` block moves state of another resource type to this one. */
export interface MoveContext<I extends IdentityTypes = {}> extends IdentifyingCall<I> {
  /** Source address of the other provider, such as `registry.opentofu.org/hashicorp/null`. */
  readonly sourceProviderAddress: string;
  readonly sourceTypeName: string;
  readonly sourceSchemaVersion: number;
  /** The stored state. Numbers that are not exactly representable as doubles are decimal text. */
  readonly sourceState: Readonly<Record<string, JsonValue>>;
  /** The stored identity; null if there is none, or if the core does not send it: OpenTofu never does. */
  readonly sourceIdentity: Readonly<Record<string, JsonValue>> | null;
  /** The other provider's private state, as stored. */
  readonly sourcePrivate: Uint8Array;
  /** Private state of the new resource; initially empty. */
  readonly privateState: PrivateState;
  readonly signal: AbortSignal;
  readonly warn: (summary: string, detail?: string) => void;
  readonly log: Log;
}
