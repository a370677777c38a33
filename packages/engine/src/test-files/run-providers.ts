// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { hasErrors, parseConfig, type Scope } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { formatLocalProviderConfigCompact } from "../address/provider-config.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { checkForEach, forEachValues } from "../configuration/for-each.ts";
import type { ProviderBlock } from "../configuration/provider-block.ts";
import { reportAll, reportError, type Report } from "../configuration/report.ts";
import { literalBody } from "./literal-body.ts";
import type { MockProvider } from "./mock-provider-block.ts";
import type { RunBlock } from "./run-block.ts";
import { providerKey, type TestFile } from "./test-file.ts";

/** The provider configurations of a run block. */
export interface RunProviders {
  /** The given configuration, whose root module has the providers of the run block. */
  readonly configuration: Configuration;
  /** The mocks among them, by local name with the alias after a dot. */
  readonly mocks: ReadonlyMap<string, MockProvider>;
}

/** The scopes in which the provider blocks of a file are evaluated, by local name with the alias after a dot. */
export type ProviderScopes = Map<string, Scope>;

/**
 * Puts the providers of a test file into a configuration: those that the `providers` argument of the run block names, or else all of them.
 *
 * @param scope Has the outputs of earlier runs and the variables of this one.
 * @param scopes The scopes of the file's `provider` blocks so far. As in OpenTofu, a block keeps the values that it had when it first had the
 *   outputs of a run.
 * @see OpenTofu configs, Config.getProviderConfigTransformForTest
 */
export function runProviders(
  configuration: Configuration,
  { run, file }: { readonly run: RunBlock; readonly file: TestFile },
  { scope, hasOutputs, scopes }: { readonly scope: Scope; readonly hasOutputs: boolean; readonly scopes: ProviderScopes },
  report: Report,
): RunProviders {
  const providers = new Map(configuration.module.providers);
  const providerInstances = new Map(configuration.providerInstances);
  const mocks = new Map<string, MockProvider>();
  const add = (key: string, block: ProviderBlock): void => {
    providers.set(key, block);
    providerInstances.delete(key);
  };
  const addMock = (key: string, mock: MockProvider, block: ProviderBlock): void => {
    add(key, block);
    mocks.set(key, mock);
    const instances = mock.forEach && instancesOf(mock, scope, report);
    if (instances !== undefined) providerInstances.set(key, instances);
  };
  const withLiterals = (key: string, block: ProviderBlock): ProviderBlock => {
    if (hasOutputs && !scopes.has(key)) scopes.set(key, scope);
    const blockScope = scopes.get(key);
    return blockScope === undefined ? block : { ...block, config: literalBody(block.config, blockScope) };
  };
  for (const { inChild, inParent } of run.providers) {
    const from = formatLocalProviderConfigCompact(inParent);
    const { localName, nameRange, alias, aliasRange } = inChild;
    const name = { localName, nameRange, ...(alias !== undefined && { alias }), ...(aliasRange && { aliasRange }) };
    const [block, mock] = [file.providers.get(from), file.mockProviders.get(from)];
    const key = providerKey(name);
    if (block !== undefined) {
      const { alias: _alias, aliasRange: _aliasRange, ...rest } = withLiterals(from, block);
      add(key, { ...rest, ...name });
    } else if (mock !== undefined) addMock(key, mock, { ...name, config: emptyBody, range: mock.range });
    else {
      const detail = "This provider block references a provider definition that does not exist.";
      reportError(report, `Missing provider definition for ${from}`, detail, inParent.nameRange);
    }
  }
  if (run.providers.length === 0) {
    for (const [key, block] of file.providers) add(key, withLiterals(key, block));
    for (const [key, mock] of file.mockProviders) addMock(key, mock, blockOf(mock));
  }
  return { configuration: { ...configuration, module: { ...configuration.module, providers }, providerInstances }, mocks };
}

const emptyBody = nativeBody(parseConfig("", "").body);

function blockOf({ localName, nameRange, alias, aliasRange, forEach, range }: MockProvider): ProviderBlock {
  return {
    localName,
    nameRange,
    ...(alias !== undefined && { alias }),
    ...(aliasRange && { aliasRange }),
    ...(forEach && { forEach }),
    config: emptyBody,
    range,
  };
}

function instancesOf({ forEach }: MockProvider, scope: Scope, report: Report): ReadonlyMap<string, Value> | undefined {
  const { value, diagnostics } = evaluate(forEach!, scope);
  reportAll(report, diagnostics);
  return !hasErrors(diagnostics) && checkForEach(value, forEach!, scope, {}, report) ? forEachValues(value) : undefined;
}
