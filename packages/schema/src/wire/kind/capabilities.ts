// SPDX-License-Identifier: Apache-2.0
import type { ClientCapabilities, Deferred, ServerCapabilities } from "../../messages/common.ts";
import type { Kind } from "./kind.ts";

/** Capabilities of the caller; absent if the caller sends no capabilities. */
export const clientCapabilities: Kind<ClientCapabilities | undefined, ClientCapabilities | undefined> = {
  read: (wire) => wire && { deferralAllowed: wire.deferralAllowed, writeOnlyAttributesAllowed: wire.writeOnlyAttributesAllowed },
  write: (model) => model,
};

/** Capabilities of the provider. */
export const serverCapabilities: Kind<ServerCapabilities, ServerCapabilities | undefined> = {
  read: readServerCapabilities,
  write: (model) => model,
};

/** Reads capabilities of the provider. All are false if the provider sends no capabilities. */
export function readServerCapabilities(wire: ServerCapabilities | undefined): ServerCapabilities {
  return {
    planDestroy: wire?.planDestroy ?? false,
    getProviderSchemaOptional: wire?.getProviderSchemaOptional ?? false,
    moveResourceState: wire?.moveResourceState ?? false,
    generateResourceConfig: wire?.generateResourceConfig ?? false,
  };
}

/** Reasons in the order of the protocol's numbers. */
const reasons = ["unknown", "resourceConfigUnknown", "providerConfigUnknown", "absentPrerequisite"] as const;

/** Reason of a deferral. A reason of a later protocol is read as `unknown`. */
export const deferred: Kind<Deferred | undefined, { readonly reason: number } | undefined, { reason: 0 | 1 | 2 | 3 } | undefined> = {
  read: (wire) => wire && { reason: reasons[wire.reason] ?? "unknown" },
  write: (model) => model && { reason: reasons.indexOf(model.reason) as 0 | 1 | 2 | 3 },
};
