// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import type { ServedProvider } from "../definition/provider.ts";
import { SdkError } from "../error.ts";
import type { Logger } from "../logger.ts";
import { createProvider, failedProvider } from "../server/create-provider.ts";
import type { ProviderModule } from "./serve-options.ts";

/** A provider's module after loading, whether that went well or not. */
export interface LoadedProvider {
  /** Undefined when the module could not be loaded. */
  readonly name: string | undefined;
  /** Why it could not be. */
  readonly loadError: Error | undefined;
  /** Makes an instance. One of a provider that could not be loaded answers every call with the reason. */
  readonly createInstance: (logger: Logger, checkAnswers?: boolean) => Provider;
}

/** Loads the author's module. Never rejects: the host has its handshake line and is owed an answer it can show. */
export async function loadProvider(load: () => Promise<ProviderModule>, protocolVersion: number): Promise<LoadedProvider> {
  try {
    const served = pickProvider(await load());
    refuseOtherProtocols(served, protocolVersion);
    return {
      name: served.name,
      loadError: undefined,
      createInstance: (logger, checkAnswers = false) => createProvider(served, { logger, checkAnswers }),
    };
  } catch (cause) {
    const error = cause instanceof Error ? cause : new SdkError("LOAD_FAILED", `The provider's module threw ${String(cause)}`);
    return { name: undefined, loadError: error, createInstance: () => failedProvider(error) };
  }
}

/** @throws SdkError `LOAD_FAILED` where the module exports no provider. */
export function pickProvider(module: ProviderModule): ServedProvider {
  const found = "provider" in module ? module.provider : (module as { readonly default?: ServedProvider }).default;
  if (typeof found === "object" && found !== null && "~provider" in found) return found;
  throw new SdkError(
    "LOAD_FAILED",
    `The module given to serve() exports no provider: export what defineProvider(…).with([…]) answers as "provider", or as default`,
  );
}

/** @throws SdkError `LOAD_FAILED` where the author promised other protocol versions than the one that was settled on. */
function refuseOtherProtocols({ name, "~provider": { protocols } }: ServedProvider, settled: number): void {
  if (protocols === undefined || (protocols as readonly number[]).includes(settled)) return;
  throw new SdkError(
    "LOAD_FAILED",
    `Provider ${name} speaks protocol ${protocols.join(" and ")} only, and was asked for protocol ${settled}: give serve() the same protocolVersions, or use a newer Terraform or OpenTofu`,
  );
}
