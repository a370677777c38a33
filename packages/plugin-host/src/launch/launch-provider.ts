// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import type { CarrierClient, CarrierClientOptions } from "@tenon/protocol/carrier";
import { type Certificate, certificateToPem, createCertificate, ProtocolError } from "@tenon/protocol/certificate";
import { inSpan, spanEnvironment } from "@tenon/schema/observability";
import type { SchemaStore } from "@tenon/schema/wire/v6";
import { PluginHostError } from "../error.ts";
import { tracer } from "../observability/calling.ts";
import { createLogSink } from "../output/log-record.ts";
import { createLaunchedProvider, type LaunchedProvider } from "./launched-provider.ts";
import { commandIdentity, type FactorySchemas } from "../schema-cache/factory-schemas.ts";
import { createSchemaStore } from "../schema-cache/schema-cache.ts";
import { childEnvironment } from "./child-environment.ts";
import { type Environment } from "../process/provider-process.ts";
import { assertFolder, findExecutable } from "../process/executable.ts";
import { type Handshake, readHandshake } from "./handshake.ts";
import { type Launch, type LaunchOptions, resolveLaunch } from "./launch-options.ts";
import { type ProtocolVersion, resolveConnection } from "../connection/connection-settings.ts";
import { type ProviderProcess, startProcess } from "../process/provider-process.ts";
import { createSocketFolder, removeSocketFolder, removeStraySocket } from "../process/socket-folder.ts";
import { startFailure, StartError } from "./start-failure.ts";

/**
 * Starts a provider in a new process and connects to it.
 *
 * @throws PluginHostError with the reason, the provider's output, and advice. After an error, no process keeps running.
 *
 * @example
 * await using provider = await launchProvider({ command: "./terraform-provider-time" });
 * const { resources } = await provider.getProviderSchema({});
 */
export async function launchProvider(options: LaunchOptions): Promise<LaunchedProvider> {
  return await launchInstance(options, undefined);
}

/** As {@link launchProvider}. @param schemas - shared with other processes of the same command. */
export async function launchInstance(options: LaunchOptions, schemas: FactorySchemas | undefined): Promise<LaunchedProvider> {
  const launch = resolveLaunch(options);
  // The active span, and not the launch span, which ends before the first call of the provider.
  const traceContext = await spanEnvironment();
  return await inSpan(`launch ${launch.name}`, { tracer, attributes: { tf_provider: launch.name } }, () =>
    launched(launch, schemas, traceContext),
  );
}

async function launched(launch: Launch, schemas: FactorySchemas | undefined, traceContext: Environment): Promise<LaunchedProvider> {
  if (launch.signal?.aborted)
    throw new PluginHostError("START_CANCELLED", `${launch.name} was not started`, { cause: launch.signal.reason });
  const sink = createLogSink(launch.onLog, launch.logLevel);
  // The process needs the certificate at its start. Creating the key pair takes milliseconds.
  const certificate = launch.autoMtls ? createCertificate() : undefined;
  const { process, identity } = await start(launch, certificate, sink, traceContext);
  // The module loads while the provider is starting.
  const connecting = import("../connection/connection.ts");
  const interruption = interrupt(launch);
  let client: CarrierClient | undefined;
  try {
    const handshake = await interruption.orResult(readHandshake(process, launch));
    const handshakeMs = performance.now() - process.startedAt;
    void cleanUpSocket(process, handshake, launch);
    const { connect, dial } = await connecting;
    client = dial({ address: handshake.address, ...tlsOf(certificate, handshake), ...resolveConnection(launch) });
    const { protocolVersion } = handshake;
    const connection = await interruption.orResult(
      connect(client, {
        protocolVersion,
        provider: launch.name,
        sink,
        schemaStore: storeOf(launch, protocolVersion),
        sharedSchemas: schemas?.of(identity, protocolVersion),
      }),
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
): Promise<{ readonly process: ProviderProcess; readonly identity: string }> {
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
  const { name, args, cwd } = launch;
  try {
    const identity = commandIdentity([executable, ...args.map((argument) => resolve(cwd ?? "", argument))]);
    return { process: await startProcess({ name, executable, args, environment, cwd, socketFolder, sink }), identity };
  } catch (error) {
    removeSocketFolder(socketFolder);
    throw error;
  }
}

function storeOf({ schemaCache }: Launch, protocolVersion: ProtocolVersion): SchemaStore | undefined {
  return schemaCache && createSchemaStore(schemaCache, protocolVersion);
}

/** Removes the socket of a provider that does not use the socket folder: providers in other languages, and old Go providers. */
async function cleanUpSocket(process: ProviderProcess, { address }: Handshake, { env }: Launch): Promise<void> {
  await process.ended;
  if (address.network === "unix") removeStraySocket(address.path, performance.timeOrigin + process.startedAt, env["TMPDIR"]);
}

/** @throws StartError */
function tlsOf(own: Certificate | undefined, { certificate }: Handshake): Pick<CarrierClientOptions, "tls"> {
  if (own === undefined || certificate === undefined) return {};
  try {
    const { certificatePem, privateKeyPem } = own;
    return { tls: { certificatePem, privateKeyPem, serverCertificatePem: certificateToPem(certificate) } };
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    throw new StartError("HANDSHAKE_MALFORMED", `sent an invalid certificate in its handshake line: ${cause.message}`, { cause });
  }
}

/** Interrupts a start at its time limit, or when its caller cancels it. */
function interrupt({ startTimeoutMs, signal }: Launch): { orResult<T>(result: Promise<T>): Promise<T>; end(): void } {
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => {});
  const cancel = (): void =>
    interrupted.reject(new StartError("START_CANCELLED", "was cancelled by its caller", { cause: signal?.reason }));
  const timer = setTimeout(() => {
    const advice = "raise startTimeoutMs if it needs more time, or check whether it is blocked";
    interrupted.reject(new StartError("START_TIMEOUT", `could not be called within ${startTimeoutMs} ms; ${advice}`));
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
