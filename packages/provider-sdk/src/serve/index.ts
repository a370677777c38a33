// SPDX-License-Identifier: Apache-2.0
/**
 * Serves a provider to Terraform, OpenTofu and every other host. Prints the handshake line before it loads any large module.
 *
 * @module
 */
export { serve } from "./serve.ts";
export type { ProviderModule, ServeOptions } from "./serve-options.ts";
