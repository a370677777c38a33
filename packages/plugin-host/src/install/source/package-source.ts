// SPDX-License-Identifier: Apache-2.0
import type { Platform } from "../address/platform.ts";
import type { SourceAddress } from "../address/source-address.ts";
import type { Version } from "../version/version.ts";
import type { PackageCheck } from "./package-check.ts";

/** A source of packages: a registry, a mirror, a folder. */
export interface PackageSource {
  /** Name in messages, such as the address of a mirror. */
  readonly name: string;
  /**
   * Returns all versions of a provider, for any platform. Undefined if the source does not have the provider.
   *
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`
   */
  versions(address: SourceAddress): Promise<AvailableVersions | undefined>;
  /**
   * Returns the location of a package. Undefined if the source has no package of that version for the platform.
   *
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`, `PLATFORM_UNSUPPORTED`
   */
  locate(address: SourceAddress, version: Version, platform: Platform): Promise<PackageOffer | undefined>;
}

/** Versions of a provider, and warnings of the source about it. */
export interface AvailableVersions {
  readonly versions: readonly Version[];
  readonly warnings: readonly string[];
}

/** A package that can be fetched, and the checks that it must pass. */
export interface PackageOffer {
  /** Name of the source. */
  readonly source: string;
  readonly location: PackageLocation;
  /** Checks that must all pass. Empty if the source has no checksum of the package. */
  readonly checks: readonly PackageCheck[];
}

/** The location of a package: an unpacked folder, a local zip file, or the URL of one. */
export type PackageLocation =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "archive"; readonly path: string }
  | { readonly kind: "url"; readonly url: URL; readonly retries: number; readonly authorization?: string; readonly maxBytes?: number };
