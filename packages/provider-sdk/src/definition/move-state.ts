// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { JsonValue } from "./call-context.ts";

/** State of another resource type that a `moved` block hands over. */
export interface MoveContext {
  /** Such as `registry.opentofu.org/hashicorp/null`. */
  readonly sourceProviderAddress: string;
  readonly sourceTypeName: string;
  readonly sourceSchemaVersion: number;
  /** The state as it was stored. Numbers that no double holds are decimal text. */
  readonly sourceState: Readonly<Record<string, JsonValue>>;
  readonly signal: AbortSignal;
  readonly warn: (summary: string, detail?: string) => void;
  readonly log: Log;
}
