// SPDX-License-Identifier: Apache-2.0
import type { ServedProvider } from "../definition/provider.ts";

/** The module that holds the provider: as a named export, or as the default one. */
export type ProviderModule = { readonly provider: ServedProvider } | { readonly default: ServedProvider };

/** How a provider is served. */
export interface ServeOptions {
  /**
   * Source address of the provider, `namespace/name` or `host/namespace/name`: named in its log and, when debugging, in the
   * variable that makes Terraform attach to it. Default: what it was packaged with; else the provider's name alone, which means `hashicorp/name`.
   */
  readonly address?: string;
  /**
   * Protocol versions to offer; a host takes the highest it knows. Default: what the provider speaks, which its package knows, and which is
   * found out while debugging; else 5 and 6, as the handshake comes before the provider is loaded.
   */
  readonly protocolVersions?: readonly (5 | 6)[];
  /** Where to listen. Default: a unix socket, except on Windows, where it is always TCP on the loopback interface. */
  readonly network?: "unix" | "tcp";
}
