// SPDX-License-Identifier: Apache-2.0
import type { SourcePattern } from "./source-pattern.ts";

/** The CLI whose files, variables, default registry and policies apply. */
export type CliFlavour = "opentofu" | "terraform";

/** The settings of a CLI configuration file that concern providers. */
export interface CliConfig {
  /** `plugin_cache_dir`, with variables expanded. */
  readonly pluginCacheDir?: string;
  readonly pluginCacheMayBreakDependencyLockFile?: boolean;
  /** `host` blocks: services that need not be discovered, by hostname. */
  readonly hosts: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** `credentials` blocks: tokens, by hostname. */
  readonly credentials: ReadonlyMap<string, string>;
  readonly credentialsHelper?: CredentialsHelper;
  /** If absent, the plugin folders of both CLIs are used, and then the registry. */
  readonly providerInstallation?: ProviderInstallation;
  /** `oci_credentials` and `oci_default_credentials`. */
  readonly ociCredentials: readonly OciCredentials[];
}

/** A program that returns tokens: `terraform-credentials-<type>`. */
export interface CredentialsHelper {
  readonly type: string;
  readonly args: readonly string[];
}

/** `provider_installation`. */
export interface ProviderInstallation {
  /** Folders of providers under development, by full source address. */
  readonly devOverrides: ReadonlyMap<string, string>;
  readonly methods: readonly InstallationMethod[];
}

/** A source of providers, with patterns of the providers for which it is used. Without patterns it is used for all providers. */
export type InstallationMethod = {
  readonly include: readonly SourcePattern[];
  readonly exclude: readonly SourcePattern[];
} & (
  | { readonly kind: "direct"; readonly downloadRetries?: number }
  | { readonly kind: "filesystem_mirror"; readonly path: string }
  | { readonly kind: "network_mirror"; readonly url: string; readonly trustAllHashes: boolean; readonly downloadRetries?: number }
  | { readonly kind: "oci_mirror"; readonly repositoryTemplate: string }
);

/** Credentials for an OCI repository. */
export interface OciCredentials {
  /** `host[/path]`; empty for the defaults. */
  readonly repositoryPrefix: string;
  readonly username?: string;
  readonly password?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

/** Configuration without settings. */
export const emptyCliConfig: CliConfig = { hosts: new Map(), credentials: new Map(), ociCredentials: [] };
