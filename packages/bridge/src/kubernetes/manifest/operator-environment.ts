// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import type { LogLevel } from "../machinery/process/structured-log.ts";

/** Environment variables of an operator's process. The install manifest sets them. */
export const operatorVariables = {
  member: "POD_NAME",
  namespace: "POD_NAMESPACE",
  watchNamespace: "WATCH_NAMESPACE",
  healthPort: "HEALTH_PORT",
  graceSeconds: "TERMINATION_GRACE_SECONDS",
  shards: "SHARDS",
  logLevel: "LOG_LEVEL",
} as const;

/** The settings of an operator's process in its environment. */
export interface OperatorEnvironment {
  /** Name of this replica, unique among the replicas. Default: the name of the host and the id of the process. */
  readonly member?: string;
  /** Namespace of the operator, for its Leases and the states of cluster-scoped resources. Default: the default namespace of the client. */
  readonly namespace?: string;
  /** Namespace whose custom resources are managed. Default: all. */
  readonly watchNamespace?: string;
  /** Port of health checks and metrics; 0 for any free port. Default: 8080. */
  readonly healthPort: number;
  /** Time from SIGTERM to SIGKILL in seconds. Default: 60. */
  readonly graceSeconds: number;
  /** Number of shards, equal for all replicas. Default: 16. */
  readonly shards: number;
  /** Default: `info`. */
  readonly logLevel: LogLevel;
}

/** Port of health checks and metrics. */
export const defaultHealthPort = 8080;

/** Time from SIGTERM to SIGKILL, in seconds. */
export const defaultGraceSeconds = 60;

/** Number of shards. There are more shards than replicas, so that their shares are about equal. */
export const defaultShards = 16;

/** Reads the environment of an operator's process. @throws BridgeError `INVALID_ARGUMENTS` */
export function readOperatorEnvironment(environment: Readonly<Record<string, string | undefined>>): OperatorEnvironment {
  const text = (name: keyof typeof operatorVariables): string | undefined => environment[operatorVariables[name]] || undefined;
  const number = (name: keyof typeof operatorVariables, standard: number, least: number): number => {
    const given = text(name);
    if (given === undefined) return standard;
    if (!/^\d{1,5}$/.test(given) || Number(given) < least) {
      const message = `the environment variable ${operatorVariables[name]} must be a number of at least ${least}, but is ${JSON.stringify(given)}`;
      throw new BridgeError("INVALID_ARGUMENTS", message);
    }
    return Number(given);
  };
  const [member, namespace, watchNamespace] = [text("member"), text("namespace"), text("watchNamespace")];
  return {
    ...(member === undefined ? {} : { member }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(watchNamespace === undefined ? {} : { watchNamespace }),
    healthPort: number("healthPort", defaultHealthPort, 0),
    graceSeconds: number("graceSeconds", defaultGraceSeconds, 1),
    shards: number("shards", defaultShards, 1),
    logLevel: logLevelOf(text("logLevel") ?? "info"),
  };
}

function logLevelOf(text: string): LogLevel {
  const level = (["debug", "info", "warn", "error"] as const).find((known) => known === text);
  if (level !== undefined) return level;
  const message = `the environment variable ${operatorVariables.logLevel} must be debug, info, warn or error, but is ${JSON.stringify(text)}`;
  throw new BridgeError("INVALID_ARGUMENTS", message);
}
