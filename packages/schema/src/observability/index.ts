// SPDX-License-Identifier: Apache-2.0
/**
 * How calls of a provider are watched, at either end: spans of OpenTelemetry, `node:diagnostics_channel`, log lines, and what must be kept
 * out of all of them.
 *
 * @module
 */
export { CallObservation, type CallEvent, type ObservationSite } from "./call-observation.ts";
export { answerWords, requestWords, logged, loggedStream, type CallLog, type CallWords } from "./call-log.ts";
export { componentOf, callSubject, type CallSubject, type ProviderMethod } from "./call-subject.ts";
export { formsOf, HiddenTexts, textsOf } from "./hidden-texts.ts";
export { inSpan, isTraced, spanEnvironment, type SpanKind, type SpanOptions } from "./spans.ts";
