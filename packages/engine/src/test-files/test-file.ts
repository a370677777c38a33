// SPDX-License-Identifier: Apache-2.0
import type { Body, Expression } from "@tenon/hcl";
import type { BodySchema } from "@tenon/hcl/body";
import { contentOf } from "../configuration/block-content.ts";
import { readProviderBlock, type ProviderBlock } from "../configuration/provider-block.ts";
import { reportError, type Report } from "../configuration/report.ts";
import { readMockProvider, type MockProvider } from "./mock-provider-block.ts";
import {
  isResourceOverride,
  readModuleOverride,
  readResourceOverride,
  type ModuleOverride,
  type ResourceOverride,
} from "./override-block.ts";
import { readRunBlock, readVariables, type RunBlock, type VariablesBlock } from "./run-block.ts";

/** The blocks of a test file. */
export interface TestFile {
  /** Path relative to the folder of the module under test. */
  readonly path: string;
  readonly runs: readonly RunBlock[];
  /** Variables of all run blocks. */
  readonly variables: ReadonlyMap<string, Expression>;
  /** By local name, with the alias after a dot. */
  readonly providers: ReadonlyMap<string, ProviderBlock>;
  /** By local name, with the alias after a dot. */
  readonly mockProviders: ReadonlyMap<string, MockProvider>;
  readonly resourceOverrides: readonly ResourceOverride[];
  readonly moduleOverrides: readonly ModuleOverride[];
}

const schema: BodySchema = {
  blocks: [
    { type: "run", labelNames: ["name"] },
    { type: "provider", labelNames: ["name"] },
    { type: "variables" },
    { type: "override_resource" },
    { type: "override_data" },
    { type: "override_module" },
    { type: "mock_provider", labelNames: ["name"] },
  ],
};

/** Reads the body of a test file, and adds its diagnostics to the report. @see OpenTofu configs, loadTestFile */
export function readTestFile(path: string, body: Body, report: Report): TestFile {
  const runs: RunBlock[] = [];
  const providers = new Map<string, ProviderBlock>();
  const mockProviders = new Map<string, MockProvider>();
  const resourceOverrides: ResourceOverride[] = [];
  const moduleOverrides: ModuleOverride[] = [];
  let variables: VariablesBlock | undefined;
  for (const block of contentOf(body, schema, report).blocks) {
    if (block.type === "run") {
      const run = readRunBlock(block, report);
      if (run !== undefined) runs.push(run);
    } else if (block.type === "variables") {
      variables = readVariables(block, "test file", variables, report);
    } else if (block.type === "provider") {
      const provider = readProviderBlock(block, report);
      if (provider !== undefined) providers.set(providerKey(provider), provider);
    } else if (block.type === "mock_provider") {
      const mock = readMockProvider(block, report);
      if (mock !== undefined) addMock(mockProviders, mock, report);
    } else if (isResourceOverride(block)) {
      const override = readResourceOverride(block, report);
      if (override !== undefined) resourceOverrides.push(override);
    } else {
      const override = readModuleOverride(block, report);
      if (override !== undefined) moduleOverrides.push(override);
    }
  }
  return { path, runs, variables: variables?.expressions ?? new Map(), providers, mockProviders, resourceOverrides, moduleOverrides };
}

/** The key of a provider configuration in its module: its local name, with the alias after a dot. */
export function providerKey({ localName, alias }: { readonly localName: string; readonly alias?: string }): string {
  return alias === undefined ? localName : `${localName}.${alias}`;
}

function addMock(mocks: Map<string, MockProvider>, mock: MockProvider, report: Report): void {
  const key = providerKey(mock);
  if (mocks.has(key)) {
    const detail = `It is not allowed to have multiple \`mock_provider\` blocks with the same address: \`${key}\`.`;
    reportError(report, "Duplicated `mock_provider` block", detail, mock.range);
    return;
  }
  mocks.set(key, mock);
}
