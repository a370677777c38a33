// SPDX-License-Identifier: Apache-2.0
import type { Platform } from "../address/platform.ts";
import type { SourceAddress } from "../address/source-address.ts";
import type { Version } from "../version/version.ts";
import type { PackageCheck } from "./package-check.ts";

/** A place that has providers: a registry, a mirror, a folder. */
export interface PackageSource {
  /** For people: `registry.opentofu.org`, or where the mirror is. */
  readonly name: string;
  /**
   * All versions it has, for whatever platform. Undefined where it does not know the provider.
   *
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`
   */
  versions(address: SourceAddress): Promise<AvailableVersions | undefined>;
  /**
   * Where the package of a version is. Undefined where it has none of that version for that platform.
   *
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`, `PLATFORM_UNSUPPORTED`
   */
  locate(address: SourceAddress, version: Version, platform: Platform): Promise<PackageOffer | undefined>;
}

/** Versions, and what the source has to say of the provider. */
export interface AvailableVersions {
  readonly versions: readonly Version[];
  readonly warnings: readonly string[];
}

/** A package that can be fetched, and how to tell that it is the right one. */
export interface PackageOffer {
  /** Of the source that has it. */
  readonly source: string;
  readonly location: PackageLocation;
  /** All must pass. None: nobody vouches for it. */
  readonly checks: readonly PackageCheck[];
}

/** Where the bytes are: an unpacked folder, a zip file, or a zip file elsewhere. */
export type PackageLocation =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "archive"; readonly path: string }
  | { readonly kind: "url"; readonly url: URL; readonly retries: number; readonly authorization?: string; readonly maxBytes?: number };
