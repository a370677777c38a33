// SPDX-License-Identifier: Apache-2.0
import { magicCookie, pluginVariables } from "@tenon/protocol/handshake";
import type { LogLevel } from "@tenon/protocol/log-line";
import type { ProtocolVersion } from "../connection/connection-settings.ts";
import type { Environment } from "../process/provider-process.ts";

/** The parts of a provider's environment. */
export interface ChildEnvironment {
  /** The environment of this process. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  /** Variables that the caller adds; undefined removes one. */
  readonly additions: Readonly<Record<string, string | undefined>>;
  readonly protocolVersions: readonly ProtocolVersion[];
  readonly clientCertificatePem: string | undefined;
  /** Undefined on a system without unix sockets. */
  readonly socketFolder: string | undefined;
  readonly logLevel: LogLevel | "off";
  readonly name: string;
}

/**
 * Variables between a host and its plugins. A provider that hosts providers itself, or is under test, must not pass them on. All other
 * variables are inherited, credentials included, as in the CLIs.
 */
const notInherited = /^(PLUGIN_.*|TF_PLUGIN_MAGIC_COOKIE|TF_REATTACH_.*|TF_DISABLE_PLUGIN_TLS|TF_LOG|TF_LOG_(CORE|CLOUD|PATH|PROVIDER))$/i;

/**
 * Returns the environment of a provider. The variables of the handshake cannot be overridden.
 *
 * @see go-plugin client.go, Client.Start; OpenTofu internal/command/meta_providers.go, providerFactory
 */
export function childEnvironment(child: ChildEnvironment): Environment {
  const environment: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(child.inherited)) {
    if (!notInherited.test(name)) environment[name] = value;
  }
  for (const [name, value] of Object.entries(logVariables(child.name, child.logLevel))) environment[name] ??= value;
  Object.assign(environment, child.additions, {
    [magicCookie.variable]: magicCookie.value,
    [pluginVariables.protocolVersions]: child.protocolVersions.join(","),
    // For plugins that listen on TCP, as on Windows.
    [pluginVariables.minPort]: "10000",
    [pluginVariables.maxPort]: "25000",
    [pluginVariables.clientCertificate]: child.clientCertificatePem,
    [pluginVariables.unixSocketDir]: child.socketFolder,
    // The variable would make a plugin print a seventh field; providers use no broker.
    [pluginVariables.multiplexGrpc]: undefined,
  });
  return Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * Returns the variables that limit a provider's log to a level.
 *
 * Go providers ignore `TF_LOG`, and trace each call without these variables; providers in other languages read `TF_LOG_PROVIDER`.
 *
 * @see terraform-plugin-go internal/logging, environment_variables.go
 */
function logVariables(name: string, level: LogLevel | "off"): Readonly<Record<string, string>> {
  const text = level.toUpperCase();
  const type = /^terraform-provider-([^_.]+)/.exec(name)?.[1];
  return {
    TF_LOG_PROVIDER: text,
    TF_LOG_SDK: text,
    ...(type === undefined ? {} : { [`TF_LOG_PROVIDER_${type.replaceAll("-", "_").toUpperCase()}`]: text }),
  };
}
