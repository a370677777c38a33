// SPDX-License-Identifier: Apache-2.0
import type { StateOwner } from "../state/state-secret.ts";
import { pollIntervalOf } from "./managed-resource.ts";

/** When objects are observed or read again. */
export interface PollSettings {
  /** Time between two observations, in milliseconds. Default: 60,000. */
  readonly pollMs?: number;
  /** Share of that time by which it is longer or shorter at random. Default: 0.1. */
  readonly pollJitter?: number;
}

/** Returns the time until an object is observed again, in milliseconds. Its annotation precedes the setting. */
export function pollDelay(owner: StateOwner, { pollMs = 60_000, pollJitter = 0.1 }: PollSettings): number {
  return (pollIntervalOf(owner) ?? pollMs) * (1 + (Math.random() * 2 - 1) * pollJitter);
}
