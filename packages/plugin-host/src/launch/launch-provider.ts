// SPDX-License-Identifier: Apache-2.0
import type { CarrierClient, CarrierClientOptions } from "@tenon/protocol/carrier";
import { type Certificate, certificateToPem, createCertificate, ProtocolError } from "@tenon/protocol/certificate";
import { inSpan, spanEnvironment } from "@tenon/schema/observability";
import type { SchemaStore } from "@tenon/schema/wire/v6";
import { PluginHostError } from "../error.ts";
import { tracer } from "../observability/calling.ts";
import { createLogSink } from "../output/log-record.ts";
import { createLaunchedProvider, type LaunchedProvider } from "../provider/launched-provider.ts";
import { createSchemaStore } from "../schema-cache/schema-cache.ts";
import { childEnvironment, type Environment } from "./child-environment.ts";
import { assertFolder, findExecutable } from "./executable.ts";
import { type Handshake, readHandshake } from "./handshake.ts";
import { type Launch, type LaunchOptions, type ProtocolVersion, resolveConnection, resolveLaunch } from "./launch-options.ts";
import { type ProviderProcess, startProcess } from "./process.ts";
import { createSocketFolder, removeSocketFolder, removeStraySocket } from "./socket-folder.ts";
import { startFailure, StartProblem } from "./start-failure.ts";

/**
 * Starts a provider in a process of its own and connects to it.
 *
 * @throws PluginHostError that says what is wrong, what the provider said about it, and what to do. Nothing of it is left then.
 *
 * @example
 * await using provider = await launchProvider({ command: "./terraform-provider-time" });
 * const { resources } = await provider.getProviderSchema({});
 */
export async function launchProvider(options: LaunchOptions): Promise<LaunchedProvider> {
  const launch = resolveLaunch(options);
  // Not the launch, which is over before the provider does anything, but what it is launched for.
  const traceContext = await spanEnvironment();
  return await inSpan(`launch ${launch.name}`, { tracer, attributes: { tf_provider: launch.name } }, () => launched(launch, traceContext));
}

async function launched(launch: Launch, traceContext: Environment): Promise<LaunchedProvider> {
  if (launch.signal?.aborted)
    throw new PluginHostError("START_CANCELLED", `${launch.name} was not started`, { cause: launch.signal.reason });
  const sink = createLogSink(launch.onLog, launch.logLevel);
  // A key pair takes milliseconds to make, and the process needs it before it starts.
  const certificate = launch.autoMtls ? createCertificate() : undefined;
  const process = await start(launch, certificate, sink, traceContext);
  // Loaded while the provider is starting.
  const connecting = import("../provider/connection.ts");
  const interruption = interrupt(launch);
  let client: CarrierClient | undefined;
  try {
    const handshake = await interruption.orResult(readHandshake(process, launch));
    const handshakeMs = performance.now() - process.startedAt;
    void tidyUp(process, handshake, launch);
    const { connect, dial } = await connecting;
    client = dial({ address: handshake.address, ...tlsOf(certificate, handshake), ...resolveConnection(launch) });
    const { protocolVersion } = handshake;
    const connection = await interruption.orResult(
      connect(client, { protocolVersion, provider: launch.name, sink, schemaStore: storeOf(launch, protocolVersion) }),
    );
    const startup = { handshakeMs, connectedMs: performance.now() - process.startedAt };
    return createLaunchedProvider(process, connection, {
      ...launch,
      protocolVersion,
      startup,
      openAddress: launch.autoMtls ? undefined : handshake.address,
    });
  } catch (error) {
    await client?.close();
    throw await startFailure(process, error);
  } finally {
    interruption.end();
  }
}

async function start(
  launch: Launch,
  certificate: Certificate | undefined,
  sink: ReturnType<typeof createLogSink>,
  traceContext: Environment,
): Promise<ProviderProcess> {
  const inherited = process.env;
  await assertFolder(launch.cwd);
  const executable = await findExecutable(launch.file, { ...inherited, ...launch.env });
  const socketFolder = createSocketFolder();
  const environment: Environment = childEnvironment({
    inherited,
    additions: { ...traceContext, ...launch.env },
    protocolVersions: launch.protocolVersions,
    clientCertificatePem: certificate?.certificatePem,
    socketFolder,
    logLevel: launch.logLevel,
    name: launch.name,
  });
  try {
    return await startProcess({ name: launch.name, executable, args: launch.args, environment, cwd: launch.cwd, socketFolder, sink });
  } catch (error) {
    removeSocketFolder(socketFolder);
    throw error;
  }
}

function storeOf({ schemaCache }: Launch, protocolVersion: ProtocolVersion): SchemaStore | undefined {
  return schemaCache && createSchemaStore(schemaCache, protocolVersion);
}

/** Providers in other languages, and old ones in Go, make their socket where they like. */
async function tidyUp(process: ProviderProcess, { address }: Handshake, { env }: Launch): Promise<void> {
  await process.ended;
  if (address.network === "unix") removeStraySocket(address.path, performance.timeOrigin + process.startedAt, env["TMPDIR"]);
}

/** @throws StartProblem */
function tlsOf(own: Certificate | undefined, { certificate }: Handshake): Pick<CarrierClientOptions, "tls"> {
  if (own === undefined || certificate === undefined) return {};
  try {
    const { certificatePem, privateKeyPem } = own;
    return { tls: { certificatePem, privateKeyPem, serverCertificatePem: certificateToPem(certificate) } };
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    throw new StartProblem("HANDSHAKE_MALFORMED", `named a certificate in its handshake line that is none: ${cause.message}`, { cause });
  }
}

/** What may end a start from outside: its time limit, and its caller. */
function interrupt({ startTimeoutMs, signal }: Launch): { orResult<T>(result: Promise<T>): Promise<T>; end(): void } {
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => {});
  const cancel = (): void =>
    interrupted.reject(new StartProblem("START_CANCELLED", "was given up by its caller", { cause: signal?.reason }));
  const timer = setTimeout(() => {
    const advice = "raise startTimeoutMs if it needs longer, or see whether it waits for something";
    interrupted.reject(new StartProblem("START_TIMEOUT", `could not be called within ${startTimeoutMs} ms; ${advice}`));
  }, startTimeoutMs);
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel);
  return {
    orResult: (result) => {
      result.catch(() => {});
      return Promise.race([result, interrupted.promise]);
    },
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
  };
}
