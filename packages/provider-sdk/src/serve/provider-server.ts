// SPDX-License-Identifier: Apache-2.0
import type { CarrierServerTls, CreateCarrierServer, ServiceRegistration } from "@tenon/protocol/carrier";
import { deferredService, type DeferredServiceOptions } from "@tenon/protocol/carrier/deferred-service";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import { brokerService, controllerService, healthService, stdioService } from "@tenon/protocol/plugin-services";
import type { Logger } from "../logger.ts";
import type { Lifetime } from "./lifetime.ts";
import type { Listener } from "./listener.ts";
import type { LoadedService } from "./loaded-service.ts";
import { debugLogLevel, hostedLogLevel } from "./log/log-level.ts";
import { lineLog } from "./log/line-log.ts";
import { watchForOrphaning } from "./orphan-watch.ts";
import { packagedAnswers } from "./packaged-answers.ts";
import { addressInFull } from "./provider-address.ts";
import type { ProviderModule, ServeOptions } from "./serve-options.ts";
import type { StandardOutput } from "./standard-output.ts";

/** How long after its schemas a provider is loaded that nobody has asked for anything else, in milliseconds. */
const loadAfterMs = 50;

/** The protocol version that was settled on. */
export interface ServedProtocol {
  readonly version: 5 | 6;
  readonly service: DeferredServiceOptions["service"];
}

export interface ProviderServerOptions {
  readonly load: () => Promise<ProviderModule>;
  readonly options: ServeOptions;
  readonly listener: Listener;
  readonly protocol: ServedProtocol;
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
 * Loads the provider and answers calls on the listener's connections, until the lifetime ends. A provider that was packaged with its
 * schemas answers them first, and is loaded when it is asked for anything else.
 *
 * Everything that is heavy to load hangs on this module, which is why it is imported after the handshake line is out.
 */
export async function startServer({
  load,
  options,
  listener,
  protocol: { version: protocolVersion, service },
  tls,
  lifetime,
  writeLog,
  hosted,
}: ProviderServerOptions): Promise<ProviderServer> {
  let log: Logger | undefined;
  const loggerOf = (name: string | undefined): Logger =>
    (log ??= lineLog(writeLog, (hosted ? hostedLogLevel : debugLogLevel)(process.env, name ?? ""), {
      tf_provider_addr: addressInFull(options.address ?? process.env["TENON_PROVIDER_ADDRESS"] ?? name),
      tf_proto_version: protocolVersion === 5 ? "5.11" : "6.11",
    }));
  let loaded: LoadedService | undefined;
  const loadService = async (): Promise<LoadedService> => {
    const module = await import("./loaded-service.ts");
    loaded = await module.loadService({ load, protocolVersion, hosted: hosted !== undefined, loggerOf });
    lifetime.lastAnswers = loaded.endHandlers;
    return loaded;
  };
  const packaged = hosted && packagedAnswers(protocolVersion);
  const registration: ServiceRegistration = packaged
    ? deferredService({ service, answers: packaged.answers, load: async () => (await loadService()).registration, loadAfterMs })
    : (await loadService()).registration;
  const name = packaged?.name ?? loaded?.name;
  const logger = loggerOf(name);
  const stdio = stdioService();
  const orphans = hosted ? watchForOrphaning(hosted.parent, lifetime.end) : undefined;
  const carrier = (await chosenCarrier())({
    services: [registration, controllerService(lifetime.end), stdio.registration, brokerService(), healthService()],
    ...(tls ? { tls } : {}),
    onSessionOpen() {
      orphans?.sessionOpened();
    },
    onSessionClose(session) {
      orphans?.sessionClosed(session);
      loaded?.release(session);
    },
    onConnectionError(error) {
      logger({ level: "debug", message: "Connection failed", fields: { error } });
    },
  });
  lifetime.onEnd(async () => {
    // What they have made is recorded in the time that answers on their way are given.
    loaded?.endHandlers(new Error("the provider was told to end before this was done"));
    listener.close();
    stdio.end();
    // A handler's signal aborts when its connection goes, so what is running hears of the end before the cleanup.
    await carrier.close();
    await loaded?.close();
  });
  hosted?.standardOutput.sendTo((data) => stdio.write("stdout", data));
  listener.handOver((socket) => carrier.accept(socket));
  return { name, loadError: loaded?.loadError };
}

/** Our own carrier, or the one it is held against where somebody wants to compare them. */
async function chosenCarrier(): Promise<CreateCarrierServer> {
  if (process.env["TENON_CARRIER"] !== "connect-node") return createCarrierServer;
  return (await import("@tenon/protocol/carrier/connect-node-server")).createCarrierServer;
}
