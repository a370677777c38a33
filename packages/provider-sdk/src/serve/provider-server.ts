// SPDX-License-Identifier: Apache-2.0
import type { CarrierServerTls, CreateCarrierServer, ServiceRegistration } from "@tenon/protocol/carrier";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import { brokerService, controllerService, healthService, stdioService } from "@tenon/protocol/plugin-services";
import type { Logger } from "../logger.ts";
import { endHandlers } from "../server/last-answer.ts";
import { instancePerSession, sharedInstance } from "./instances.ts";
import type { Lifetime } from "./lifetime.ts";
import type { Listener } from "./listener.ts";
import { loadProvider } from "./load-provider.ts";
import { debugLogLevel, hostedLogLevel } from "./log/log-level.ts";
import { lineLog } from "./log/line-log.ts";
import { watchForOrphaning } from "./orphan-watch.ts";
import { addressInFull } from "./provider-address.ts";
import { providerService } from "./provider-service.ts";
import type { ProviderModule, ServeOptions } from "./serve-options.ts";
import type { StandardOutput } from "./standard-output.ts";

export interface ProviderServerOptions {
  readonly load: () => Promise<ProviderModule>;
  readonly options: ServeOptions;
  readonly listener: Listener;
  /** 5 or 6. */
  readonly protocolVersion: number;
  /** Absent: plaintext. */
  readonly tls?: CarrierServerTls;
  readonly lifetime: Lifetime;
  /** Writes log lines to standard error, at once. */
  readonly writeLog: (text: string) => void;
  /** Of a process that belongs to the host that started it; absent: it waits for hosts to attach. */
  readonly hosted?: { readonly parent: number; readonly standardOutput: StandardOutput };
}

/** What is known of the provider once it is served. */
export interface ProviderServer {
  /** Undefined when the provider could not be loaded. */
  readonly name: string | undefined;
  /** Why it could not. */
  readonly loadError: Error | undefined;
}

/**
 * Loads the provider and answers calls on the listener's connections, until the lifetime ends.
 *
 * Everything that is heavy to load hangs on this module, which is why it is imported after the handshake line is out.
 */
export async function startServer({
  load,
  options,
  listener,
  protocolVersion,
  tls,
  lifetime,
  writeLog,
  hosted,
}: ProviderServerOptions): Promise<ProviderServer> {
  const { name, loadError, createInstance } = await loadProvider(load, protocolVersion);
  const level = (hosted ? hostedLogLevel : debugLogLevel)(process.env, name ?? "");
  const logger = lineLog(writeLog, level, {
    tf_provider_addr: addressInFull(options.address ?? process.env["TENON_PROVIDER_ADDRESS"] ?? name),
    tf_proto_version: protocolVersion === 5 ? "5.11" : "6.11",
  });
  const instances = (hosted ? sharedInstance : instancePerSession)(() => createInstance(logger, checksAnswers(hosted !== undefined)));
  const stdio = stdioService();
  const orphans = hosted ? watchForOrphaning(hosted.parent, lifetime.end) : undefined;
  const carrier = (await chosenCarrier())({
    services: [
      await dumped(await providerService(protocolVersion, instances.of), logger),
      controllerService(lifetime.end),
      stdio.registration,
      brokerService(),
      healthService(),
    ],
    ...(tls ? { tls } : {}),
    onSessionOpen() {
      orphans?.sessionOpened();
    },
    onSessionClose(session) {
      orphans?.sessionClosed(session);
      instances.release(session);
    },
    onConnectionError(error) {
      logger({ level: "debug", message: "Connection failed", fields: { error } });
    },
  });
  lifetime.lastAnswers = endHandlers;
  lifetime.onEnd(async () => {
    // What they have made is recorded in the time that answers on their way are given.
    endHandlers(new Error("the provider was told to end before this was done"));
    listener.close();
    stdio.end();
    // A handler's signal aborts when its connection goes, so what is running hears of the end before the cleanup.
    await carrier.close();
    await instances.close();
  });
  hosted?.standardOutput.sendTo((data) => stdio.write("stdout", data));
  listener.handOver((socket) => carrier.accept(socket));
  return { name, loadError };
}

/** A provider under development checks itself: while it is debugged, or as `TENON_PROVIDER_CHECK` says. */
function checksAnswers(isHosted: boolean): boolean {
  const said = process.env["TENON_PROVIDER_CHECK"];
  return said ? said !== "0" : !isHosted;
}

/** The service as it is, unless somebody wants to see what goes over the wire. */
async function dumped(registration: ServiceRegistration, logger: Logger): Promise<ServiceRegistration> {
  const folder = process.env["TF_LOG_SDK_PROTO_DATA_DIR"];
  if (!folder) return registration;
  const { dumpingService } = await import("./message-dump.ts");
  return dumpingService(registration, folder, (error) =>
    logger({ level: "error", message: "Cannot write protocol data", fields: { error: error.message } }),
  );
}

/** Our own carrier, or the one it is held against where somebody wants to compare them. */
async function chosenCarrier(): Promise<CreateCarrierServer> {
  if (process.env["TENON_CARRIER"] !== "connect-node") return createCarrierServer;
  return (await import("@tenon/protocol/carrier/connect-node-server")).createCarrierServer;
}
