// SPDX-License-Identifier: Apache-2.0
import type { Block } from "@tenon/schema";
import type { ProviderAddress } from "../address/provider.ts";
import type { Resource } from "../address/resource.ts";

/** The schemas of the providers of a configuration. */
export interface ConfigurationSchemas {
  readonly resource: (
    provider: ProviderAddress,
    resource: Pick<Resource, "mode" | "type">,
  ) => { readonly block: Block; readonly version: number } | undefined;
  /** The schema of a provider's own configuration. */
  readonly configuration: (provider: ProviderAddress) => Block | undefined;
}
