// SPDX-License-Identifier: Apache-2.0
import type { ClientCapabilities, Deferred, ServerCapabilities } from "../../messages/common.ts";
import type { Kind } from "./kind.ts";

/** Absent where the caller says nothing. */
export const clientCapabilities: Kind<ClientCapabilities | undefined, ClientCapabilities | undefined> = {
  read: (wire) => wire && { deferralAllowed: wire.deferralAllowed, writeOnlyAttributesAllowed: wire.writeOnlyAttributesAllowed },
  write: (model) => model,
};

export const serverCapabilities: Kind<ServerCapabilities, ServerCapabilities | undefined> = {
  read: readServerCapabilities,
  write: (model) => model,
};

/** All false where the provider says nothing. */
export function readServerCapabilities(wire: ServerCapabilities | undefined): ServerCapabilities {
  return {
    planDestroy: wire?.planDestroy ?? false,
    getProviderSchemaOptional: wire?.getProviderSchemaOptional ?? false,
    moveResourceState: wire?.moveResourceState ?? false,
    generateResourceConfig: wire?.generateResourceConfig ?? false,
  };
}

/** In the order of their numbers. */
const reasons = ["unknown", "resourceConfigUnknown", "providerConfigUnknown", "absentPrerequisite"] as const;

/** A reason that is not known here is `unknown`. */
export const deferred: Kind<Deferred | undefined, { readonly reason: number } | undefined, { reason: 0 | 1 | 2 | 3 } | undefined> = {
  read: (wire) => wire && { reason: reasons[wire.reason] ?? "unknown" },
  write: (model) => model && { reason: reasons.indexOf(model.reason) as 0 | 1 | 2 | 3 },
};
