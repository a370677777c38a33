// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";
import type { SourceRange } from "@tenon/hcl";
import { formatProviderForDisplay, impliedProvider, isSameProvider, type ProviderAddress } from "../address/provider.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { providerOfLocalName } from "../configuration/module.ts";
import { reportError, type Report } from "../configuration/report.ts";
import type { RunBlock } from "./run-block.ts";
import type { TestFile } from "./test-file.ts";

/**
 * Checks that the `provider` blocks of test files are for the providers that the run blocks use them as.
 *
 * @see OpenTofu configs, resolveProviderTypesForTests and validateProviderConfigsForTests
 */
export function validateTestProviders(
  root: Configuration,
  files: readonly TestFile[],
  modules: ReadonlyMap<RunBlock, Configuration>,
  report: Report,
): void {
  for (const file of files) {
    // The provider of each local name of the file's blocks: the one of the first run that uses it.
    const sources = new Map<string, ProviderAddress>();
    for (const run of file.runs) {
      const { module } = modules.get(run) ?? root;
      for (const { inChild, inParent } of run.providers) {
        const used = providerOfLocalName(module, inChild.localName);
        const known = sources.get(inParent.localName) ?? used;
        sources.set(inParent.localName, known);
        if (!modules.has(run) && !isSameProvider(known, used)) {
          reportMismatch({ file, name: inParent.localName, range: inParent.nameRange, is: known }, inChild.localName, used, report);
        }
      }
      if (run.providers.length > 0) continue;
      for (const { localName } of file.providers.values()) {
        const used = module.requiredProviders.get(localName)?.provider;
        if (used !== undefined && !sources.has(localName)) sources.set(localName, used);
      }
    }
    for (const run of file.runs) {
      if (run.providers.length > 0 || modules.has(run)) continue;
      for (const [key, { localName, range }] of file.providers) {
        const used = root.module.requiredProviders.get(localName)?.provider;
        const is = sources.get(localName) ?? impliedProvider(localName);
        if (used !== undefined && !isSameProvider(is, used)) reportMismatch({ file, name: key, range, is }, localName, used, report);
      }
    }
  }
}

/** A provider block of a test file, and the provider that it is for. */
interface UsedBlock {
  readonly file: TestFile;
  readonly name: string;
  readonly range: SourceRange;
  readonly is: ProviderAddress;
}

function reportMismatch({ file, name, range, is }: UsedBlock, childName: string, used: ProviderAddress, report: Report): void {
  const [ours, theirs] = [is, used].map((provider) => goQuote(formatProviderForDisplay(provider)));
  const detail = `The local name ${goQuote(name)} in ${file.path} represents provider ${ours}, but ${goQuote(childName)} in the root module represents ${theirs}.\n\nThis means the provider definition for ${goQuote(name)} within ${file.path}, or other provider definitions with the same name, have been referenced by multiple run blocks and assigned to different provider types.`;
  reportError(report, "Provider type mismatch", detail, range);
}
