// SPDX-License-Identifier: Apache-2.0
import type { ClientCapabilities, Deferred } from "@tenon/schema";
import type { DeferReason } from "../definition/defer.ts";

/** What a handler that may be put off is run with. */
export interface Deferral {
  /** For the handler's context. */
  readonly defer: (reason: DeferReason) => never;
  /** Runs the handler, which may end by being put off: it then answers undefined. */
  readonly watch: <T>(handler: () => T | Promise<T>) => Promise<T | undefined>;
  /** Why it was put off; undefined where it was not. */
  readonly deferred: () => Deferred | undefined;
}

class PutOff extends Error {
  readonly reason: DeferReason;

  constructor(reason: DeferReason) {
    super(`it is put off: ${words[reason]}`);
    this.reason = reason;
  }
}

const words: Readonly<Record<DeferReason, string>> = {
  resourceConfigUnknown: "its configuration is not known yet",
  providerConfigUnknown: "the provider's configuration is not known yet",
  absentPrerequisite: "something it needs is not there yet",
};

/** @see framework rule 45: an answer may only be deferred where the caller says that it can wait. */
export function openDeferral(capabilities: ClientCapabilities | undefined): Deferral {
  let deferred: Deferred | undefined;
  return {
    defer: (reason) => {
      throw new PutOff(reason);
    },
    watch: async (handler) => {
      try {
        return await handler();
      } catch (error) {
        if (!(error instanceof PutOff)) throw error;
        if (capabilities?.deferralAllowed !== true) {
          throw new Error(
            `It cannot be done before ${whenDone[error.reason]}, and this run cannot put it off. Apply what it depends on first.`,
            {
              cause: error,
            },
          );
        }
        deferred = { reason: error.reason };
        return undefined;
      }
    },
    deferred: () => deferred,
  };
}

const whenDone: Readonly<Record<DeferReason, string>> = {
  resourceConfigUnknown: "its configuration is known",
  providerConfigUnknown: "the provider's configuration is known",
  absentPrerequisite: "something it needs is there",
};
