// SPDX-License-Identifier: Apache-2.0
import { formatHandshakeLine, hasMagicCookie, negotiateProtocolVersion } from "@tenon/protocol/handshake";
import { attachInstructions } from "./attach-instructions.ts";
import { handshakeOutput } from "./handshake-output.ts";
import { type HostEnvironment, readHostEnvironment } from "./host-environment.ts";
import { createLifetime, type Lifetime } from "./lifetime.ts";
import { listen, type Listener } from "./listener.ts";
import { panicOnUncaughtErrors } from "./panic.ts";
import { parsePortRange } from "./port-range.ts";
import type { ProviderServer, ProviderServerOptions } from "./provider-server.ts";
import type { ProviderModule, ServeOptions } from "./serve-options.ts";
import { captureStandardOutput } from "./standard-output.ts";
import { writeAll } from "./write-all.ts";

/**
 * Serves a provider to the host that started this process, until that host ends it. The one call of an author's `main.ts`.
 *
 * The handshake line goes out first; everything heavy, the provider's module included, is loaded after it. So keep
 * `main.ts` free of other imports. A provider that cannot be loaded answers every call with a diagnostic that says why.
 *
 * Started with `--debug`, or with `TENON_PROVIDER_DEBUG` set, it waits for hosts instead of belonging to one, and prints the
 * variable that makes Terraform and OpenTofu attach to it. Ctrl-C ends it.
 *
 * Fulfilled when the provider answers calls; never rejected. A process that no host started says so and exits with 1.
 *
 * @see go-plugin server.go, Serve
 *
 * @example
 * await serve(() => import("./provider.ts"));
 */
export async function serve(load: () => Promise<ProviderModule>, options: ServeOptions = {}): Promise<void> {
  if (process.env["TENON_PROVIDER_ASK"]) return answerWhoPackages(load);
  const lifetime = createLifetime();
  const host = readHostEnvironment(process.env);
  process.on("SIGTERM", lifetime.end);
  if (process.argv.includes("--debug") || process.env["TENON_PROVIDER_DEBUG"]) await serveAttaching(load, options, host, lifetime);
  else if (hasMagicCookie(process.env)) await serveHost(load, options, host, lifetime);
  else refuseToRunAlone();
}

/** Belongs to the host that started the process. */
async function serveHost(
  load: () => Promise<ProviderModule>,
  options: ServeOptions,
  host: HostEnvironment,
  lifetime: Lifetime,
): Promise<void> {
  const parent = process.ppid;
  // The terminal sends Ctrl-C to every process of a run, and the host alone decides what it means.
  process.on("SIGINT", () => {});
  panicOnUncaughtErrors((reason) => lifetime.lastAnswers(reason));
  const protocolVersion = negotiateProtocolVersion(host.protocolVersions, options.protocolVersions ?? packagedVersions() ?? [5, 6]);
  // Node's cryptography takes a while to load; only who must pays.
  const certificate = host.clientCertificatePem ? (await import("@tenon/protocol/certificate")).createCertificate() : undefined;
  const listener = await listenFor(host, options);
  const line = formatHandshakeLine({
    coreVersion: 1,
    protocolVersion,
    address: listener.address,
    ...(certificate ? { certificate: certificate.certificateDer } : {}),
    ...(host.asksForMultiplexing ? { multiplexing: false } : {}),
  });
  writeAll(handshakeOutput(), line);
  const standardOutput = captureStandardOutput();
  keepCompiledCode();
  const startServer = await serverFor(protocolVersion);
  await startServer({
    load,
    options,
    listener,
    ...(certificate && host.clientCertificatePem ? { tls: { ...certificate, clientCertificatePem: host.clientCertificatePem } } : {}),
    lifetime,
    writeLog: (text) => writeAll(2, text),
    hosted: { parent, standardOutput },
  });
}

/** Waits for hosts to attach, each for a run, and belongs to none. In plaintext, as attaching knows no certificates. */
async function serveAttaching(
  load: () => Promise<ProviderModule>,
  options: ServeOptions,
  host: HostEnvironment,
  lifetime: Lifetime,
): Promise<void> {
  process.on("SIGINT", lifetime.end);
  const output = handshakeOutput();
  // Nobody waits for a line here, so the provider itself is asked.
  const spoken = async (): Promise<readonly number[]> => (await (await import("./asked.ts")).describeServing(load)).protocols;
  const protocolVersion = Math.max(...(options.protocolVersions ?? (await spoken().catch(() => [6]))));
  const listener = await listenFor(host, options);
  const startServer = await serverFor(protocolVersion);
  const { name, loadError } = await startServer({
    load,
    options,
    listener,
    lifetime,
    writeLog: (text) => writeAll(2, text),
  });
  if (loadError !== undefined) writeAll(2, `${loadError.stack ?? loadError.message}\n`);
  writeAll(output, attachInstructions(options.address ?? name ?? "unknown", protocolVersion, listener.address));
}

/** What is heavy to load, with the messages of one version of the protocol. */
async function serverFor(protocolVersion: number): Promise<(options: ServerOptions) => Promise<ProviderServer>> {
  return protocolVersion === 5
    ? (await import("./provider-server-5.ts")).startServer5
    : (await import("./provider-server-6.ts")).startServer6;
}

type ServerOptions = Omit<ProviderServerOptions, "protocol">;

/**
 * Lets Node keep what it compiles from here on for the next start, in its folder for that: `NODE_COMPILE_CACHE`, or one in the
 * temporary folder. `NODE_DISABLE_COMPILE_CACHE` forbids it.
 */
function keepCompiledCode(): void {
  // An import would have to be loaded before the handshake line.
  process.getBuiltinModule("node:module").enableCompileCache();
}

async function listenFor(host: HostEnvironment, options: ServeOptions): Promise<Listener> {
  const network = process.platform === "win32" ? "tcp" : (options.network ?? "unix");
  try {
    const listener = await listen({
      network,
      ports: network === "tcp" ? parsePortRange(host.minPort, host.maxPort) : [0, 0],
      socketFolders: host.socketFolders,
      ...(host.socketGroup ? { socketGroup: host.socketGroup } : {}),
    });
    // Also when the process ends otherwise than in good order.
    process.on("exit", () => listener.close());
    return listener;
  } catch (error) {
    // Before the handshake line there is no other way to say it.
    writeAll(2, `${(error as Error).message}\n`);
    return process.exit(1);
  }
}

/** What the provider said it speaks when it was packaged: the launcher hands it on. The line is out before the provider is loaded. */
function packagedVersions(): readonly number[] | undefined {
  const said = process.env["TENON_PROVIDER_PROTOCOLS"];
  return said ? said.split(",").map(Number) : undefined;
}

/** Prints what the packager wants to know, and ends. */
async function answerWhoPackages(load: () => Promise<ProviderModule>): Promise<void> {
  const asked = process.env["TENON_PROVIDER_ASK"] === "answers" ? constantAnswers(load) : describeServing(load);
  writeAll(1, `\n${JSON.stringify((await asked.catch(() => undefined)) ?? {})}\n`);
  process.exit(0);
}

async function describeServing(load: () => Promise<ProviderModule>): Promise<object> {
  return (await import("./asked.ts")).describeServing(load);
}

async function constantAnswers(load: () => Promise<ProviderModule>): Promise<object | undefined> {
  const { constantAnswers: answersOf } = await import("./asked.ts");
  const { watchSurroundings } = await import("./surroundings.ts");
  return answersOf(load, watchSurroundings());
}

function refuseToRunAlone(): never {
  writeAll(
    2,
    "This program is a provider for Terraform and OpenTofu. It is started by them, not by hand.\n" +
      "Name it in the required_providers of a configuration and run a plan there.\n" +
      "To develop it, start it with --debug and follow what it prints.\n",
  );
  process.exit(1);
}
