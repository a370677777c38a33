// SPDX-License-Identifier: Apache-2.0
import { type Body, type SourceRange } from "@tenon/hcl";
import type { Block, BodySchema } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import { attributesNamed, contentOf } from "./block-content.ts";
import { readEncryption, type EncryptionBlock } from "./encryption.ts";
import { checkProviderName } from "./provider-reference.ts";
import { hasErrorsSince, reportAll, type Report } from "./report.ts";
import { readRequiredProviders, type RequiredProviders } from "./required-providers.ts";

/** A `backend` block: the store of the state. */
export interface BackendBlock {
  readonly type: string;
  readonly config: Body;
  readonly typeRange: SourceRange;
  readonly range: SourceRange;
}

/** A `cloud` block. */
export interface CloudBlock {
  readonly config: Body;
  readonly range: SourceRange;
}

/** A `provider_meta` block: values that a module sends with each call of a provider. */
export interface ProviderMetaBlock {
  readonly localName: string;
  readonly config: Body;
  readonly range: SourceRange;
}

/** The settings of the `terraform` blocks of a file. */
export interface TerraformSettings {
  readonly backends: BackendBlock[];
  readonly clouds: CloudBlock[];
  readonly requiredProviders: RequiredProviders[];
  readonly providerMetas: ProviderMetaBlock[];
  readonly encryptions: EncryptionBlock[];
}

const schema: BodySchema = {
  attributes: attributesNamed("required_version", "experiments", "language"),
  blocks: [
    { type: "backend", labelNames: ["type"] },
    { type: "cloud" },
    { type: "required_providers" },
    { type: "provider_meta", labelNames: ["provider"] },
    { type: "encryption" },
  ],
};

/** Reads a `terraform` block into the settings of its file. */
export function readTerraformBlock(block: Block, into: TerraformSettings, report: Report): void {
  for (const nested of contentOf(block.body, schema, report).blocks) {
    const range = nested.declarationRange;
    switch (nested.type) {
      case "backend":
        into.backends.push({ type: nested.labels[0]!, config: nested.body, typeRange: nested.labelRanges[0]!, range });
        break;
      case "cloud":
        into.clouds.push({ config: nested.body, range });
        break;
      case "required_providers":
        into.requiredProviders.push(readRequiredProviders(nested, report));
        break;
      case "provider_meta": {
        const meta = readProviderMeta(nested, report);
        if (meta !== undefined) into.providerMetas.push(meta);
        break;
      }
      default: {
        const encryption = readEncryption(nested, report);
        if (encryption !== undefined) into.encryptions.push(encryption);
      }
    }
  }
}

/** @see OpenTofu configs, decodeProviderMetaBlock */
function readProviderMeta(block: Block, report: Report): ProviderMetaBlock | undefined {
  const start = report.length;
  const { attributes, diagnostics } = block.body.justAttributes();
  if (reportAll(report, diagnostics)) return undefined;
  for (const { expression } of attributes.values()) reportAll(report, evaluate(expression).diagnostics);
  checkProviderName(block.labels[0]!, block.declarationRange, report);
  if (hasErrorsSince(report, start)) return undefined;
  return { localName: block.labels[0]!, config: block.body, range: block.declarationRange };
}
