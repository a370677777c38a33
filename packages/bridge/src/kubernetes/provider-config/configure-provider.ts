// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type CallOptions, type Diagnostic, type Provider } from "@tenon/schema";
import { BridgeError } from "../../error.ts";
import { errorText } from "../reconcile/step-failure.ts";
import type { ResolvedConfiguration } from "./resolve-configuration.ts";

/** The error of a configuration that the provider rejects, with the reasons of the provider. */
export class RefusedConfiguration extends BridgeError {
  /** All diagnostics, including warnings. Secrets are masked. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super("PROVIDER_FAILED", errorText(diagnostics));
    this.diagnostics = diagnostics;
  }
}

/**
 * Validates a configuration, and configures an instance with it.
 *
 * @returns The warnings of the provider.
 * @throws RefusedConfiguration; ProviderError if a call fails.
 */
export async function configureProvider(
  provider: Provider,
  { value, secrets }: ResolvedConfiguration,
  terraformVersion: string,
  options: CallOptions,
): Promise<readonly Diagnostic[]> {
  const diagnostics = [...(await provider.validateProviderConfig({ config: value }, options)).diagnostics];
  if (!hasErrors(diagnostics)) {
    diagnostics.push(...(await provider.configureProvider({ terraformVersion, config: value }, options)).diagnostics);
  }
  const masked = diagnostics.map((diagnostic) => ({
    ...diagnostic,
    summary: secrets.hide(diagnostic.summary),
    detail: secrets.hide(diagnostic.detail),
  }));
  if (hasErrors(masked)) throw new RefusedConfiguration(masked);
  return masked;
}
