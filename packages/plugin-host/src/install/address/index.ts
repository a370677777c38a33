// SPDX-License-Identifier: Apache-2.0
/**
 * Source addresses and versions of providers, without the code that installs them.
 *
 * @module
 */
export { parseAddressPart, parseHostname } from "./hostname.ts";
export { defaultHostnames, formatAddress, isBuiltIn, parseAddress, type SourceAddress } from "./source-address.ts";
export { currentPlatform, formatPlatform, parsePlatform, type Platform } from "./platform.ts";
export { compareVersions, formatVersion, parseVersion, type Version } from "../version/version.ts";
export {
  type ConstraintOperator,
  formatConstraints,
  meetsConstraints,
  newestVersion,
  parseConstraints,
  type VersionConstraint,
  type VersionConstraints,
} from "../version/version-constraints.ts";
