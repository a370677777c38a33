// SPDX-License-Identifier: Apache-2.0
import { type LogLevel, logLevels } from "@tenon/protocol/log-line";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The least level worth a line for a host, or undefined when the host drops everything.
 *
 * `TF_LOG_PROVIDER_<NAME>` is the author's say (default: everything). The host's own filter is `TF_LOG_PROVIDER`, else
 * `TF_LOG`; where neither is set it does not even read lines, and a line it would drop is not worth its formatting.
 *
 * @see OpenTofu internal/logging, terraform-plugin-log
 */
export function hostedLogLevel(environment: Environment, providerName: string): LogLevel | undefined {
  const own = ownLevel(environment, providerName) ?? "trace";
  const host = hostLevel(environment) ?? "off";
  if (own === "off" || host === "off") return undefined;
  return logLevels.indexOf(own) > logLevels.indexOf(host) ? own : host;
}

/** The least level to show when no host reads along: the first of the same variables that is set. Default: `info`. */
export function debugLogLevel(environment: Environment, providerName: string): LogLevel | undefined {
  const level = ownLevel(environment, providerName) ?? hostLevel(environment) ?? "info";
  return level === "off" ? undefined : level;
}

function ownLevel(environment: Environment, providerName: string): LogLevel | "off" | undefined {
  return parseLevel(environment[`TF_LOG_PROVIDER_${providerName.replaceAll("-", "_").toUpperCase()}`]);
}

function hostLevel(environment: Environment): LogLevel | "off" | undefined {
  return parseLevel(environment["TF_LOG_PROVIDER"] || environment["TF_LOG"]);
}

/** Every other word, `JSON` among them, means everything, as it does to the host. */
function parseLevel(text: string | undefined): LogLevel | "off" | undefined {
  if (!text) return undefined;
  const word = text.toLowerCase();
  return word === "off" ? "off" : (logLevels.find((level) => level === word) ?? "trace");
}
