// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { compiledParts } from "../compile/served-provider.ts";
import type { ServedProvider } from "../definition/provider.ts";
import { SdkError } from "../error.ts";
import type { Logger } from "../logger.ts";
import { createProvider, failedProvider } from "../server/create-provider.ts";
import type { ProviderModule } from "./serve-options.ts";

/** Result of loading a provider's module, successful or not. */
export interface LoadedProvider {
  /** Undefined when the module could not be loaded. */
  readonly name: string | undefined;
  /** Why the module could not be loaded. */
  readonly loadError: Error | undefined;
  /** Creates an instance. If the provider could not be loaded, the instance answers every call with the load error. */
  readonly createInstance: (logger: Logger, checkResponses?: boolean) => Provider;
}

/** Loads the author's module. Never rejects: the host already has the handshake line, so load errors are answered as diagnostics. */
export async function loadProvider(load: () => Promise<ProviderModule>, protocolVersion: number): Promise<LoadedProvider> {
  try {
    const served = pickProvider(await load());
    refuseOtherProtocols(served, protocolVersion);
    return {
      name: served.name,
      loadError: undefined,
      createInstance: (logger, checkResponses = false) => createProvider(served, { logger, checkResponses }),
    };
  } catch (cause) {
    const error = cause instanceof Error ? cause : new SdkError("LOAD_FAILED", `The provider's module threw ${String(cause)}`);
    return { name: undefined, loadError: error, createInstance: () => failedProvider(error) };
  }
}

/** Returns the provider that a module exports. @throws SdkError `LOAD_FAILED` when the module exports none. */
export function pickProvider(module: ProviderModule): ServedProvider {
  const found = "provider" in module ? module.provider : (module as { readonly default?: ServedProvider }).default;
  if (typeof found === "object" && found !== null && "~provider" in found) return found;
  throw new SdkError(
    "LOAD_FAILED",
    `The module given to serve() exports no provider: export the result of defineProvider(…).with([…]) as "provider" or as the default`,
  );
}

/** @throws SdkError `LOAD_FAILED` when the definition's `protocols` do not include the negotiated version. */
function refuseOtherProtocols(served: ServedProvider, negotiated: number): void {
  const { name, protocols } = compiledParts(served)["~provider"];
  if (protocols === undefined || (protocols as readonly number[]).includes(negotiated)) return;
  throw new SdkError(
    "LOAD_FAILED",
    `Provider ${name} speaks protocol ${protocols.join(" and ")} only, but the host negotiated protocol ${negotiated}: pass the same protocolVersions to serve(), or use a newer Terraform or OpenTofu`,
  );
}
