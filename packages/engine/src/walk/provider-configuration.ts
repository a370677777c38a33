// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, of, string, unmarkDeep } from "@tenon/cty";
import { parseConfig, type Body } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { hasErrors, type GetProviderSchemaResponse, type Diagnostic, type Provider, type ClientCapabilities } from "@tenon/schema";
import type { InstanceKey } from "../address/instance-key.ts";
import {
  formatProviderConfig,
  formatProviderConfigInstance,
  type ProviderConfig,
  type ProviderConfigInstance,
} from "../address/provider-config.ts";
import { formatProvider, type ProviderAddress } from "../address/provider.ts";
import { reportError, type Report } from "../configuration/report.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { providerBlockOf } from "../provider/provider-resolution.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { noScopeData, type ScopeData } from "../evaluation/scope-data.ts";
import { containsMarkOf, EPHEMERAL } from "../marks/value-marks.ts";
import type { ConfiguredValue } from "../provider/provider-pool.ts";
import { locateDiagnostics, type AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { providerInstancesOf } from "./absent-provider-instance.ts";
import { scopeAt } from "./module-lookup.ts";

/** The version of the core in each ConfigureProvider request. OpenTofu 1.12 sends this version too. */
const coreVersion = "1.13.0";

const emptyBody: Body = nativeBody(parseConfig("", "").body);

/** The context in which the configuration of a provider is evaluated. */
export interface ProviderConfigurationContext {
  readonly root: ModuleScope;
  /** Whether providers may defer. */
  readonly allowsDeferral: boolean;
  /** Whether the configurations of providers must be wholly known. */
  readonly requiresKnownProviders: boolean;
  /** The schemas of a provider. Its errors are reported. */
  providerSchemas(provider: ProviderAddress): Promise<GetProviderSchemaResponse>;
}

/** The evaluated configuration of a provider. */
export interface ProviderSettings extends ConfiguredValue {
  readonly body: Body;
  /** Whether the configuration has a `provider` block for it. */
  readonly isDeclared: boolean;
  readonly scope: ModuleScope;
}

/** The capabilities that are sent to providers that may defer. */
export const deferringCapabilities: ClientCapabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };

/**
 * Evaluates the configuration of a provider. Returns undefined if the provider has no configuration schema.
 *
 * @throws UpstreamError after errors, which are reported.
 */
export async function evaluateProviderConfiguration(
  context: ProviderConfigurationContext,
  { config, key }: ProviderConfigInstance,
): Promise<ProviderSettings | undefined> {
  const { provider: schema } = await context.providerSchemas(config.provider);
  const scope = await scopeAt(context.root, config.module);
  if (scope === undefined) throw new UpstreamError();
  const block = providerBlockOf(scope.configuration, config);
  if (schema === undefined) return undefined;
  const body = block?.config ?? emptyBody;
  const data = key === undefined ? noScopeData : instanceData(context, scope, config, key);
  const decoded = await scope.decode(body, schema.block, data, { allowsEphemeral: true });
  const { diagnostics } = decoded;
  scope.settle(
    undefined,
    block === undefined
      ? withHint(
          diagnostics.map((one) => ofAbsentBlock(one, config)),
          config,
        )
      : diagnostics,
  );
  const [value] = unmarkDeep(decoded.value);
  if (context.requiresKnownProviders && !isWhollyKnown(value)) {
    const detail = `The configuration for ${formatProviderConfig(config)} depends on values that cannot be determined until apply.`;
    scope.settle(undefined, [
      { severity: "error", summary: "Invalid provider configuration", detail, ...(block && { subject: block.range }) },
    ]);
  }
  const isFinal = isWhollyKnown(value) && !containsMarkOf(decoded.value, EPHEMERAL);
  return { value, isFinal, hasWarnings: diagnostics.length > 0, body, isDeclared: block !== undefined, scope };
}

/** Replaces the error about a missing argument by OpenTofu's for a missing `provider` block. @see OpenTofu hcl2shim.SynthBody */
function ofAbsentBlock(diagnostic: AddressedDiagnostic, config: ProviderConfig): AddressedDiagnostic {
  if (diagnostic.summary !== "Missing required argument") return diagnostic;
  const start = { line: 1, column: 1, byte: 0 };
  const detail = diagnostic.detail.replace(/^The argument/, "The attribute");
  const subject = { filename: `${formatProviderConfig(config)} with no configuration`, start, end: start };
  return { ...diagnostic, summary: "Missing required attribute", detail, subject };
}

/** Adds to the errors of a provider without a `provider` block that it needs one. @see OpenTofu node_provider.go, providerConfigErr */
function withHint(diagnostics: readonly AddressedDiagnostic[], { provider }: ProviderConfig): readonly AddressedDiagnostic[] {
  if (!hasErrors(diagnostics)) return diagnostics;
  const detail = `Provider ${JSON.stringify(formatProvider(provider))} requires explicit configuration. Add a provider block to the root module and configure the provider's required arguments as described in the provider documentation.\n`;
  return [...diagnostics, { severity: "error", summary: "Invalid provider configuration", detail }];
}

/**
 * Validates the configuration of a provider, and sends it. Returns the warnings, which are reported.
 *
 * @throws UpstreamError after errors, which are reported.
 */
export async function configureProvider(
  context: ProviderConfigurationContext,
  provider: Provider,
  instance: ProviderConfigInstance,
  { value, body, isDeclared, scope }: ProviderSettings,
): Promise<readonly Diagnostic[]> {
  const address = formatProviderConfigInstance(instance);
  const validated = await provider.validateProviderConfig({ config: value });
  const ofValidation = locateDiagnostics(validated.diagnostics, body, address);
  scope.settle(undefined, isDeclared ? ofValidation : withHint(ofValidation, instance.config));
  const configured = await provider.configureProvider({
    terraformVersion: coreVersion,
    config: value,
    ...(context.allowsDeferral && { clientCapabilities: deferringCapabilities }),
  });
  const ofConfiguration = locateDiagnostics(configured.diagnostics, body, address);
  scope.settle(undefined, isDeclared ? ofConfiguration : withHint(ofConfiguration, instance.config));
  return [...ofValidation, ...ofConfiguration];
}

function instanceData(
  context: ProviderConfigurationContext,
  { configuration }: ModuleScope,
  config: ProviderConfig,
  key: InstanceKey,
): ScopeData {
  const eachValue = providerInstancesOf(configuration, config)?.get(String(key));
  if (eachValue !== undefined) return { eachKey: of(string, String(key)), eachValue };
  const problems: Report = [];
  const detail = `The provider configuration ${formatProviderConfig(config)} has no instance with the key ${JSON.stringify(key)}.`;
  reportError(problems, "Invalid provider instance key", detail);
  return context.root.settle(noScopeData, problems);
}
