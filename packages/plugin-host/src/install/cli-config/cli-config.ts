// SPDX-License-Identifier: Apache-2.0
import type { SourcePattern } from "./source-pattern.ts";

/** Which CLI's files, variables, default registry and policies apply. */
export type CliFlavour = "opentofu" | "terraform";

/** What a CLI configuration file can say, as far as providers are concerned. */
export interface CliConfig {
  /** `plugin_cache_dir`, with variables expanded. */
  readonly pluginCacheDir?: string;
  readonly pluginCacheMayBreakDependencyLockFile?: boolean;
  /** `host` blocks: services that need not be discovered, by hostname. */
  readonly hosts: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** `credentials` blocks: tokens, by hostname. */
  readonly credentials: ReadonlyMap<string, string>;
  readonly credentialsHelper?: CredentialsHelper;
  /** Absent: the folders both CLIs know, and then the registry. */
  readonly providerInstallation?: ProviderInstallation;
  /** `oci_credentials` and `oci_default_credentials`. */
  readonly ociCredentials: readonly OciCredentials[];
}

/** A program that knows tokens: `terraform-credentials-<type>`. */
export interface CredentialsHelper {
  readonly type: string;
  readonly args: readonly string[];
}

/** `provider_installation`. */
export interface ProviderInstallation {
  /** Folders of providers under development, by source address in full. */
  readonly devOverrides: ReadonlyMap<string, string>;
  readonly methods: readonly InstallationMethod[];
}

/** A place to look for providers, and for which of them. No pattern: for all. */
export type InstallationMethod = {
  readonly include: readonly SourcePattern[];
  readonly exclude: readonly SourcePattern[];
} & (
  | { readonly kind: "direct"; readonly downloadRetries?: number }
  | { readonly kind: "filesystem_mirror"; readonly path: string }
  | { readonly kind: "network_mirror"; readonly url: string; readonly trustAllHashes: boolean; readonly downloadRetries?: number }
  | { readonly kind: "oci_mirror"; readonly repositoryTemplate: string }
);

/** How a repository for OCI artefacts is signed in to. */
export interface OciCredentials {
  /** `host[/path]`; empty for the defaults. */
  readonly repositoryPrefix: string;
  readonly username?: string;
  readonly password?: string;
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

/** What holds where no file says anything. */
export const emptyCliConfig: CliConfig = { hosts: new Map(), credentials: new Map(), ociCredentials: [] };
