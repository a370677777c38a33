// SPDX-License-Identifier: Apache-2.0
/**
 * Observation of a provider's calls, in the host and in the provider: spans of OpenTelemetry, `node:diagnostics_channel`, log lines, and
 * the masking of secrets in all of them.
 *
 * @module
 */
export { CallObservation, type CallEvent, type ObservationSite } from "./call-observation.ts";
export {
  clientLogMessages,
  logDiagnostics,
  logError,
  logged,
  loggedStream,
  serverLogMessages,
  type CallLog,
  type CallLogMessages,
} from "./call-log.ts";
export { componentOf, callSubject, type CallSubject } from "./call-subject.ts";
export { formsOf, HiddenTexts, textsOf } from "./hidden-texts.ts";
export { InFlightSecrets, type CallSecrecy, type SecretMask } from "./in-flight-secrets.ts";
export { inSpan, isTraced, spanEnvironment, type SpanKind, type SpanOptions } from "./spans.ts";
