// SPDX-License-Identifier: Apache-2.0
/**
 * Diagnostics as text and as the JSON of the command lines, and suggestions for their texts.
 *
 * @module
 */
export { formatDiagnosticJson, type FormatDiagnosticJsonOptions } from "./format-json.ts";
export { formatDiagnostic, formatDiagnostics, type FormatDiagnosticOptions, type Style } from "./format.ts";
export type { FunctionSignature, FunctionSignatureParameter, TypeJson } from "./function-signature.ts";
export { diagnosticJson, type DiagnosticJson, type DiagnosticJsonOptions, type DiagnosticSnippet } from "./json.ts";
export type { RelatedValue, ValueCauses } from "./related-values.ts";
export type { Sources } from "./source-lines.ts";
export { didYouMean, nearestName, similarName } from "../syntax/suggestion.ts";
