// SPDX-License-Identifier: Apache-2.0
import { type LogLevel, logLevels } from "@tenon/protocol/log-line";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the lowest level that the host shows, or undefined when the host drops all lines.
 *
 * `TF_LOG_PROVIDER_<NAME>` is the provider's level (default: trace). The host filters by `TF_LOG_PROVIDER`, else by `TF_LOG`; when
 * neither is set, it drops all lines. Lines that the host would drop are not formatted.
 *
 * @see OpenTofu internal/logging, terraform-plugin-log
 */
export function hostedLogLevel(environment: Environment, providerName: string): LogLevel | undefined {
  const own = ownLevel(environment, providerName) ?? "trace";
  const host = hostLevel(environment) ?? "off";
  if (own === "off" || host === "off") return undefined;
  return logLevels.indexOf(own) > logLevels.indexOf(host) ? own : host;
}

/** Returns the lowest level to print while debugging: the first of the same variables that is set. Default: `info`. */
export function debugLogLevel(environment: Environment, providerName: string): LogLevel | undefined {
  const level = ownLevel(environment, providerName) ?? hostLevel(environment) ?? "info";
  return level === "off" ? undefined : level;
}

/** Whether `TF_LOG` or `TF_LOG_PROVIDER` requests lines in JSON. */
export function isJsonLog(environment: Environment): boolean {
  return (environment["TF_LOG_PROVIDER"] || environment["TF_LOG"])?.toUpperCase() === "JSON";
}

function ownLevel(environment: Environment, providerName: string): LogLevel | "off" | undefined {
  return parseLevel(environment[`TF_LOG_PROVIDER_${providerName.replaceAll("-", "_").toUpperCase()}`]);
}

function hostLevel(environment: Environment): LogLevel | "off" | undefined {
  return parseLevel(environment["TF_LOG_PROVIDER"] || environment["TF_LOG"]);
}

/** Parses a level. Every unknown word, including `JSON`, means trace, as in the host. */
function parseLevel(text: string | undefined): LogLevel | "off" | undefined {
  if (!text) return undefined;
  const word = text.toLowerCase();
  return word === "off" ? "off" : (logLevels.find((level) => level === word) ?? "trace");
}
