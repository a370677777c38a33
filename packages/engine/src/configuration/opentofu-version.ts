// SPDX-License-Identifier: Apache-2.0
import { parseComparableVersion, type ComparableVersion } from "./version-constraint.ts";

/** The version of OpenTofu whose language and behaviour the engine implements. */
export const opentofuVersion = "1.12.6";

/** {@link opentofuVersion} in its parsed form. */
export const comparableOpentofuVersion: ComparableVersion = parseComparableVersion(opentofuVersion)!;
