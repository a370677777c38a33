// SPDX-License-Identifier: Apache-2.0
import { magicCookie, pluginVariables } from "@tenon/protocol/handshake";
import type { LogLevel } from "@tenon/protocol/log-line";
import type { ProtocolVersion } from "./launch-options.ts";

/** An environment as `child_process` takes it. */
export type Environment = Readonly<Record<string, string>>;

/** What a provider is told through its environment. */
export interface ChildEnvironment {
  /** This process's own. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  /** What the caller adds, or removes with undefined. */
  readonly additions: Readonly<Record<string, string | undefined>>;
  readonly protocolVersions: readonly ProtocolVersion[];
  readonly clientCertificatePem: string | undefined;
  /** Absent where there are no unix sockets. */
  readonly socketFolder: string | undefined;
  readonly logLevel: LogLevel | "off";
  readonly name: string;
}

/**
 * What a host says to its own plugins, or hears from its own caller: a provider that hosts providers, or is tested by a host,
 * must not pass it on. Everything else is inherited, credentials included, as the cores do.
 */
const notInherited = /^(PLUGIN_.*|TF_PLUGIN_MAGIC_COOKIE|TF_REATTACH_.*|TF_DISABLE_PLUGIN_TLS|TF_LOG|TF_LOG_(CORE|CLOUD|PATH|PROVIDER))$/i;

/**
 * A provider's whole environment. What the handshake needs cannot be overridden.
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
    // Read where a plugin listens on TCP, as on Windows.
    [pluginVariables.minPort]: "10000",
    [pluginVariables.maxPort]: "25000",
    [pluginVariables.clientCertificate]: child.clientCertificatePem,
    [pluginVariables.unixSocketDir]: child.socketFolder,
    // With it a plugin prints a seventh field; brokers are not used with providers.
    [pluginVariables.multiplexGrpc]: undefined,
  });
  return Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * What makes a provider log no more than is wanted.
 *
 * Go providers ignore `TF_LOG` and trace each call until these say otherwise; providers in other languages read
 * `TF_LOG_PROVIDER`.
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
