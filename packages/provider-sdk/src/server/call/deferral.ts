// SPDX-License-Identifier: Apache-2.0
import type { ClientCapabilities, Deferred } from "@tenon/schema";
import type { DeferReason } from "../../definition/defer.ts";

/** The deferral of one handler. */
export interface Deferral {
  /** For the handler's context. */
  readonly defer: (reason: DeferReason) => never;
  /** Runs the handler; returns undefined when the handler deferred. */
  readonly watch: <T>(handler: () => T | Promise<T>) => Promise<T | undefined>;
  /** The reason of the deferral; undefined when the handler did not defer. */
  readonly deferred: () => Deferred | undefined;
}

class DeferredError extends Error {
  readonly reason: DeferReason;

  constructor(reason: DeferReason) {
    super(`the handler deferred: ${reason}`);
    this.reason = reason;
  }
}

/** Creates the deferral of one handler. A response may be deferred only if the caller supports it. @see rule 45 in test/rules */
export function openDeferral(capabilities: ClientCapabilities | undefined): Deferral {
  let deferred: Deferred | undefined;
  return {
    defer: (reason) => {
      throw new DeferredError(reason);
    },
    watch: async (handler) => {
      try {
        return await handler();
      } catch (error) {
        if (!(error instanceof DeferredError)) throw error;
        if (capabilities?.deferralAllowed !== true) {
          error.message = `The provider must wait until ${awaited[error.reason]}, and this run cannot defer it: first apply the resources that it depends on, then plan again.`;
          throw error;
        }
        deferred = { reason: error.reason };
        return undefined;
      }
    },
    deferred: () => deferred,
  };
}

/** The event that a deferred handler waits for. */
const awaited: Readonly<Record<DeferReason, string>> = {
  resourceConfigUnknown: "its configuration is known",
  providerConfigUnknown: "the provider's configuration is known",
  absentPrerequisite: "something that it needs exists",
};
