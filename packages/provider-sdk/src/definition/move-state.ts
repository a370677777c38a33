// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { JsonValue, PrivateState } from "./call-context.ts";
import type { IdentifyingCall, IdentityTypes } from "./identity.ts";

/** State of another resource type that a `moved` block hands over. */
export interface MoveContext<I extends IdentityTypes = {}> extends IdentifyingCall<I> {
  /** Such as `registry.opentofu.org/hashicorp/null`. */
  readonly sourceProviderAddress: string;
  readonly sourceTypeName: string;
  readonly sourceSchemaVersion: number;
  /** The state as it was stored. Numbers that no double holds are decimal text. */
  readonly sourceState: Readonly<Record<string, JsonValue>>;
  /** The identity as it was stored; null where there is none, and where the core does not hand it over, as OpenTofu does not. */
  readonly sourceIdentity: Readonly<Record<string, JsonValue>> | null;
  /** What the other provider kept for itself, as it stored it. */
  readonly sourcePrivate: Uint8Array;
  /** Of the resource that is made of it; empty to begin with. */
  readonly privateState: PrivateState;
  readonly signal: AbortSignal;
  readonly warn: (summary: string, detail?: string) => void;
  readonly log: Log;
}
