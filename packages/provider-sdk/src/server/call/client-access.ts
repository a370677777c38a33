// SPDX-License-Identifier: Apache-2.0
import { errorDiagnostic, type ClientCapabilities, type Deferred } from "@tenon/schema";
import type { ServedInstance } from "../instance/served-instance.ts";
import type { ServerCall } from "./server-call.ts";

/** The provider's client, or the reason why there is none. */
export type ClientAccess =
  | { readonly kind: "ready"; readonly client: unknown }
  /** The caller supports deferral: the response carries this reason. */
  | { readonly kind: "deferred"; readonly deferred: Deferred }
  /** A diagnostic of the call reports the reason. */
  | { readonly kind: "refused" };

/**
 * Returns the client that `configure` created.
 *
 * @param what the operation that needs the client, for the error text: "create notebook_note".
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
          `Provider ${provider.name} cannot ${what}: in its configuration, ${configuration.unknown.join(", ")} is known only after apply. ` +
            `Set a known value, or first apply the resources that it depends on.`,
        ),
      );
      return { kind: "refused" };
    case "deferred":
      if (capabilities?.deferralAllowed) return { kind: "deferred", deferred: configuration.deferred };
      call.diagnostics.push(
        errorDiagnostic(
          "Provider not ready yet",
          `Provider ${provider.name} cannot ${what}: its configuration is deferred until something that it needs exists.`,
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
        errorDiagnostic("Provider not configured", `Provider ${provider.name} cannot ${what}: it is not configured yet.`),
      );
      return { kind: "refused" };
  }
}
