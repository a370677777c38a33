// SPDX-License-Identifier: Apache-2.0
/**
 * The check behind the command `tenon-check-provider`, for programs.
 *
 * @module
 */
export { checkProvider, type ProviderCheckOptions, type ProviderReport, type ResourceReport } from "./check-provider.ts";
export { reportJson, reportText } from "./report.ts";
export type { Finding, LawsRun } from "../laws/run-laws.ts";
export type { Law, LawName, LawNeed, LawWeight } from "../laws/law.ts";
