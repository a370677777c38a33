// SPDX-License-Identifier: Apache-2.0
import type { ServedProvider } from "../definition/provider.ts";

/** A module that exports the provider as `provider` or as its default export. */
export type ProviderModule = { readonly provider: ServedProvider } | { readonly default: ServedProvider };

/** Options of `serve`. */
export interface ServeOptions {
  /**
   * Source address of the provider, `namespace/name` or `host/namespace/name`. It appears in the log and, while debugging, in the
   * variable that makes Terraform attach. Default: the address in the package; else the provider's name, which means `hashicorp/name`.
   */
  readonly address?: string;
  /**
   * Protocol versions to offer; the host picks the highest that it supports. Default: the provider's own versions when it runs from a
   * package or in debug mode; else 5 and 6, because the handshake happens before the provider is loaded.
   */
  readonly protocolVersions?: readonly (5 | 6)[];
  /** Network to listen on. Default: a unix socket; on Windows always TCP on the loopback interface. */
  readonly network?: "unix" | "tcp";
}
