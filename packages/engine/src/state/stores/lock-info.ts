// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError, type LockInfo } from "../../error.ts";
import { opentofuVersion } from "../../opentofu-version.ts";
import type { StateLock, StoreCallOptions, WorkspaceStore } from "./state-store.ts";

/** Creates the description of a new lock by the current user on this machine. */
export function createLockInfo(operation: string, info = ""): LockInfo {
  return {
    ID: randomUUID(),
    Operation: operation,
    Info: info,
    Who: `${userName()}@${hostname()}`,
    Version: opentofuVersion,
    Created: new Date().toISOString(),
    Path: "",
  };
}

/** The name of the current user; empty if the system has no name for the user, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** Reads OpenTofu's description of a lock; undefined if it is malformed. */
export function parseLockInfo(text: string): LockInfo | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const field = (name: keyof LockInfo): string => {
    const value = (parsed as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" ? value : "";
  };
  return {
    ID: field("ID"),
    Operation: field("Operation"),
    Info: field("Info"),
    Who: field("Who"),
    Version: field("Version"),
    Created: field("Created"),
    Path: field("Path"),
  };
}

/**
 * The JSON text of a lock's description, with the bytes of Go's encoding/json. OpenTofu removes a lock in DynamoDB only if the stored text
 * is the one that it would write itself.
 */
export function formatLockInfo({ ID, Operation, Info, Who, Version, Created, Path }: LockInfo): string {
  const created = Created.replace(/(\.\d*?)0+Z$/, "$1Z").replace(".Z", "Z");
  const text = JSON.stringify({ ID, Operation, Info, Who, Version, Created: created, Path });
  return text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The error for a lock that another run holds. */
export function lockedError(where: string, held: LockInfo | undefined): EngineError {
  const holder = held === undefined ? "" : ` by ${held.Who || "an unknown holder"} since ${held.Created} (lock ID ${held.ID})`;
  return new EngineError(
    "STATE_LOCKED",
    `the state at ${where} is locked${holder}; wait for that run to end, or break the lock by its ID`,
    { lock: held },
  );
}

/** Settings of {@link acquireLock}. */
export interface AcquireLockOptions extends StoreCallOptions {
  /** Milliseconds to retry while another run holds the lock. Default 0: no retries. */
  readonly timeoutMs?: number;
}

const firstDelayMs = 1000;
const maxDelayMs = 16_000;

/**
 * Takes a lock. Retries after 1, 2, 4, 8, 16, 16, … seconds while another run holds it.
 *
 * @throws EngineError `STATE_LOCKED` after the timeout.
 */
export async function acquireLock(store: WorkspaceStore, info: LockInfo, options: AcquireLockOptions = {}): Promise<StateLock> {
  const end = performance.now() + (options.timeoutMs ?? 0);
  for (let wait = firstDelayMs; ; wait = Math.min(wait * 2, maxDelayMs)) {
    try {
      return await store.lock(info, options);
    } catch (error) {
      const remaining = end - performance.now();
      if (!(error instanceof EngineError) || error.code !== "STATE_LOCKED" || remaining <= 0) throw error;
      await delay(Math.min(wait, remaining), undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  }
}
