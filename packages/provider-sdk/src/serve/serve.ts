// SPDX-License-Identifier: Apache-2.0
import { formatHandshakeLine, hasMagicCookie, negotiateProtocolVersion } from "@tenon/protocol/handshake";
import { enableCompileCache } from "./compile-cache.ts";
import { attachInstructions, missingAddressAdvice } from "./attach-instructions.ts";
import { createChangeWatchdog } from "./change-watchdog.ts";
import { handshakeOutput } from "./handshake-output.ts";
import { type HostEnvironment, readHostEnvironment } from "./host-environment.ts";
import { createLifetime, type Lifetime } from "./lifetime.ts";
import { listen, type Listener } from "./listener.ts";
import { formatOutput, maskStream } from "./output-mask.ts";
import { panicOnUncaughtErrors } from "./panic.ts";
import { parsePortRange } from "./port-range.ts";
import type { ProviderServer, ProviderServerOptions } from "./provider-server.ts";
import type { ProviderModule, ServeOptions } from "./serve-options.ts";
import { captureStandardOutput } from "./standard-output.ts";
import { writeAll } from "./write-all.ts";

/**
 * Serves a provider to the host that started this process, until the host ends it. An author's `main.ts` contains only this call.
 *
 * Prints the handshake line first and then loads all large modules, including the provider's. Therefore `main.ts` must not import
 * anything else. If the provider cannot be loaded, it answers every call with a diagnostic that contains the load error.
 *
 * With `--debug`, or with `TENON_PROVIDER_DEBUG` set, the process waits for hosts to attach, and prints the variable that makes
 * Terraform and OpenTofu attach to it. Ctrl-C ends it.
 *
 * Resolves when the provider is ready to answer calls; never rejects. If no host started the process, it prints an explanation and
 * exits with 1.
 *
 * @see go-plugin server.go, Serve
 *
 * @example
 * await serve(() => import("./provider.ts"));
 */
export async function serve(load: () => Promise<ProviderModule>, options: ServeOptions = {}): Promise<void> {
  if (process.env["TENON_PROVIDER_INSPECT"]) return describeForPackager(load);
  const lifetime = createLifetime();
  const host = readHostEnvironment(process.env);
  // By default, these signals end a process without its exit hooks, and the socket file would remain.
  for (const signal of ["SIGTERM", "SIGHUP", "SIGQUIT"] as const) process.on(signal, lifetime.end);
  if (process.argv.includes("--debug") || process.env["TENON_PROVIDER_DEBUG"]) await serveAttaching(load, options, host, lifetime);
  else if (hasMagicCookie(process.env)) await serveHost(load, options, host, lifetime);
  else refuseToRunAlone();
}

/** Serves the host that started the process. */
async function serveHost(
  load: () => Promise<ProviderModule>,
  options: ServeOptions,
  host: HostEnvironment,
  lifetime: Lifetime,
): Promise<void> {
  const parent = process.ppid;
  // The terminal sends Ctrl-C to every process of a run; only the host decides whether to stop.
  const watchdog = createChangeWatchdog({ parent, interruptLimit: 2 });
  process.on("SIGINT", watchdog.onInterrupt);
  panicOnUncaughtErrors((reason) => lifetime.endHandlers(reason));
  const protocolVersion = negotiateProtocolVersion(host.protocolVersions, options.protocolVersions ?? packagedVersions() ?? [5, 6]);
  // Node's crypto module is slow to load, so it is loaded only for TLS.
  const certificate = host.clientCertificatePem ? (await import("@tenon/protocol/certificate")).createCertificate() : undefined;
  const listener = await listenFor(host, options);
  const line = formatHandshakeLine({
    coreVersion: 1,
    protocolVersion,
    address: listener.address,
    ...(certificate ? { certificate: certificate.certificateDer } : {}),
    ...(host.requestsMultiplexing ? { multiplexing: false } : {}),
  });
  writeOrExit(handshakeOutput(), line, "the handshake line");
  const standardOutput = captureStandardOutput();
  maskStream("stderr");
  enableCompileCache();
  const startServer = await serverFor(protocolVersion);
  await startServer({
    load,
    options,
    listener,
    ...(certificate && host.clientCertificatePem ? { tls: { ...certificate, clientCertificatePem: host.clientCertificatePem } } : {}),
    lifetime,
    writeLog: (text) => writeAll(2, text),
    formatOutput,
    watchdog,
    hosted: { parent, standardOutput },
  });
}

/** Waits for hosts to attach, each for one run. Serves in plaintext, because `TF_REATTACH_PROVIDERS` carries no certificate. */
async function serveAttaching(
  load: () => Promise<ProviderModule>,
  options: ServeOptions,
  host: HostEnvironment,
  lifetime: Lifetime,
): Promise<void> {
  process.on("SIGINT", lifetime.end);
  panicOnUncaughtErrors((reason) => lifetime.endHandlers(reason));
  maskStream("stdout");
  maskStream("stderr");
  const output = handshakeOutput();
  // No host waits for a handshake line here, so the provider can be loaded to get its protocol versions.
  const supportedProtocols = async (): Promise<readonly number[]> =>
    (await (await import("./serving-description.ts")).describeServing(load)).protocols;
  const protocolVersion = Math.max(...(options.protocolVersions ?? (await supportedProtocols().catch(() => [6]))));
  const listener = await listenFor(host, options);
  const startServer = await serverFor(protocolVersion);
  const { name } = await startServer({
    load,
    options,
    listener,
    lifetime,
    writeLog: (text) => writeAll(2, text),
    formatOutput,
    watchdog: createChangeWatchdog({ interruptLimit: 1 }),
  });
  const address = options.address ?? process.env["TENON_PROVIDER_ADDRESS"];
  if (address === undefined) writeAll(2, missingAddressAdvice(name ?? "unknown"));
  writeOrExit(output, attachInstructions(address ?? name ?? "unknown", protocolVersion, listener.address), "the address to attach to");
}

/** Writes text that a host needs to connect. If it cannot be written, the process exits with 1: no host would ever connect. */
function writeOrExit(fileDescriptor: number, text: string, what: string): void {
  const error = writeAll(fileDescriptor, text);
  if (error === undefined) return;
  writeAll(2, `cannot write ${what} to standard output: ${error.message}\n`);
  process.exit(1);
}

/** Loads the server with the messages of one protocol version. */
async function serverFor(protocolVersion: number): Promise<(options: ServerOptions) => Promise<ProviderServer>> {
  return protocolVersion === 5
    ? (await import("./provider-server-5.ts")).startServer5
    : (await import("./provider-server-6.ts")).startServer6;
}

type ServerOptions = Omit<ProviderServerOptions, "protocol">;

async function listenFor(host: HostEnvironment, options: ServeOptions): Promise<Listener> {
  const network = process.platform === "win32" ? "tcp" : (options.network ?? "unix");
  try {
    const listener = await listen({
      network,
      ports: network === "tcp" ? parsePortRange(host.minPort, host.maxPort) : [0, 0],
      socketFolders: host.socketFolders,
      ...(host.socketGroup ? { socketGroup: host.socketGroup } : {}),
    });
    // Removes the socket file after an abrupt exit too.
    process.on("exit", () => listener.close());
    return listener;
  } catch (error) {
    // Before the handshake line, standard error is the only way to report an error to the host.
    writeAll(2, `${(error as Error).message}\n`);
    return process.exit(1);
  }
}

/** Returns the protocol versions recorded in the package; the launcher passes them in `TENON_PROVIDER_PROTOCOLS`. */
function packagedVersions(): readonly number[] | undefined {
  const versions = process.env["TENON_PROVIDER_PROTOCOLS"];
  return versions ? versions.split(",").map(Number) : undefined;
}

/** Prints the description that the packager requested, and exits. */
async function describeForPackager(load: () => Promise<ProviderModule>): Promise<void> {
  const description = process.env["TENON_PROVIDER_INSPECT"] === "responses" ? constantResponses(load) : describeServing(load);
  const { stackOf } = await import("../observability/error-stack.ts");
  const failed = (error: unknown): object => ({ error: stackOf(error) });
  writeOrExit(1, `\n${JSON.stringify((await description.catch(failed)) ?? {})}\n`, "the description of the provider");
  process.exit(0);
}

async function describeServing(load: () => Promise<ProviderModule>): Promise<object> {
  return (await import("./serving-description.ts")).describeServing(load);
}

async function constantResponses(load: () => Promise<ProviderModule>): Promise<object | undefined> {
  const { constantResponses: responsesOf } = await import("./serving-description.ts");
  const { watchEnvironmentAccess } = await import("./environment-access.ts");
  return responsesOf(load, watchEnvironmentAccess());
}

function refuseToRunAlone(): never {
  writeAll(
    2,
    "This program is a provider for Terraform and OpenTofu. They start it; do not run it by hand.\n" +
      "Name it in the required_providers block of a configuration and run a plan there.\n" +
      "To debug it, start it with --debug and follow the printed instructions.\n",
  );
  process.exit(1);
}
