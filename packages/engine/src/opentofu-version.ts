// SPDX-License-Identifier: Apache-2.0

/** The version of OpenTofu whose language and behaviour the engine implements. It is also the version in state files and lock descriptions. */
export const opentofuVersion = "1.12.6";
