// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type ClientCapabilities, type Deferred } from "@tenon/schema";
import type { ServedInstance } from "./served-instance.ts";
import type { ServerCall } from "./server-call.ts";

/** The client, or why there is none. */
export type ClientAccess =
  | { readonly kind: "ready"; readonly client: unknown }
  /** The caller can wait: this is what to tell it. */
  | { readonly kind: "deferred"; readonly deferred: Deferred }
  /** A diagnostic says why. */
  | { readonly kind: "refused" };

/**
 * The client that `configure` made.
 *
 * @param what the work that needs it, for the message: "create notebook_note".
 */
export function clientFor(instance: ServedInstance, call: ServerCall, what: string, capabilities?: ClientCapabilities): ClientAccess {
  const { configuration, provider } = instance;
  if (provider.configure === undefined) return { kind: "ready", client: undefined };
  switch (configuration.kind) {
    case "configured":
      return { kind: "ready", client: configuration.client };
    case "waiting":
      if (capabilities?.deferralAllowed) return { kind: "deferred", deferred: { reason: "providerConfigUnknown" } };
      call.diagnostics.push(
        errorDiagnostic(
          "Provider configuration not known yet",
          `Provider ${provider.name} cannot ${what}: of its configuration, ${configuration.unknown.join(", ")} is only known after apply. ` +
            `Give it a value that is known, or apply what it depends on first.`,
        ),
      );
      return { kind: "refused" };
    case "deferred":
      if (capabilities?.deferralAllowed) return { kind: "deferred", deferred: configuration.deferred };
      call.diagnostics.push(
        errorDiagnostic(
          "Provider not ready yet",
          `Provider ${provider.name} cannot ${what}: it puts off everything until something it needs is there.`,
        ),
      );
      return { kind: "refused" };
    case "failed":
      call.diagnostics.push(
        errorDiagnostic("Provider not configured", `Provider ${provider.name} cannot ${what}: its configuration failed.`),
      );
      return { kind: "refused" };
    default:
      call.diagnostics.push(
        errorDiagnostic("Provider not configured", `Provider ${provider.name} cannot ${what}: it was asked before it was configured.`),
      );
      return { kind: "refused" };
  }
}
