// SPDX-License-Identifier: Apache-2.0
import type { CarrierServerTls, CreateCarrierServer, ServiceRegistration } from "@tenon/protocol/carrier";
import { deferredService, type DeferredServiceOptions } from "@tenon/protocol/carrier/deferred-service";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import { brokerService, controllerService, healthService, stdioService } from "@tenon/protocol/plugin-services";
import type { Logger } from "../logger.ts";
import type { ChangeWatchdog } from "./change-watchdog.ts";
import type { Lifetime } from "./lifetime.ts";
import type { Listener } from "./listener.ts";
import type { LoadedService } from "./loaded-service.ts";
import { debugLogLevel, hostedLogLevel, isJsonLog } from "./log/log-level.ts";
import { lineLog } from "./log/line-log.ts";
import type { OutputFormat } from "./output-mask.ts";
import { watchForOrphaning } from "./orphan-watch.ts";
import { packagedResponses } from "./packaged-responses.ts";
import { addressInFull } from "./provider-address.ts";
import type { ProviderModule, ServeOptions } from "./serve-options.ts";
import type { StandardOutput } from "./standard-output.ts";

/** Delay, in milliseconds, between the packaged schema responses and loading the provider when no other call arrives. */
const loadAfterMs = 50;

/** The negotiated protocol version and its service. */
export interface ServedProtocol {
  readonly version: 5 | 6;
  /** Descriptor of the provider service in this version. */
  readonly service: DeferredServiceOptions["service"];
}

/** Options of {@link startServer}. */
export interface ProviderServerOptions {
  readonly load: () => Promise<ProviderModule>;
  readonly options: ServeOptions;
  readonly listener: Listener;
  readonly protocol: ServedProtocol;
  /** TLS settings; plaintext when absent. */
  readonly tls?: CarrierServerTls;
  readonly lifetime: Lifetime;
  /** Writes log lines to standard error, synchronously. */
  readonly writeLog: (text: string) => void;
  /** Sets the format of the process's output before the provider is loaded. */
  readonly formatOutput: (format: OutputFormat) => void;
  /** Started before the first change. */
  readonly watchdog: ChangeWatchdog;
  /** Parent process and captured output when a host started this process; absent when the process waits for hosts to attach. */
  readonly hosted?: { readonly parent: number; readonly standardOutput: StandardOutput };
}

/** A provider that is being served. */
export interface ProviderServer {
  /** Undefined when the provider could not be loaded. */
  readonly name: string | undefined;
}

/**
 * Loads the provider and answers calls on the listener's connections until the lifetime ends. If the package contains the schemas, the
 * server answers schema calls from the package and loads the provider with the first other call.
 *
 * This module imports all large modules, so it must be imported after the handshake line is printed.
 */
export async function startServer({
  load,
  options,
  listener,
  protocol: { version: protocolVersion, service },
  tls,
  lifetime,
  writeLog,
  formatOutput,
  watchdog,
  hosted,
}: ProviderServerOptions): Promise<ProviderServer> {
  let log: Logger | undefined;
  const readable = hosted || isJsonLog(process.env) ? undefined : await import("./log/readable-log.ts");
  const loggerOf = (name: string | undefined): Logger => {
    const level = (hosted ? hostedLogLevel : debugLogLevel)(process.env, name ?? "");
    return (log ??=
      readable?.readableLog(writeLog, level) ??
      lineLog(writeLog, level, {
        tf_provider_addr: addressInFull(options.address ?? process.env["TENON_PROVIDER_ADDRESS"] ?? name),
        tf_proto_version: protocolVersion === 5 ? "5.11" : "6.11",
      }));
  };
  let loaded: LoadedService | undefined;
  const loadService = async (): Promise<LoadedService> => {
    const module = await import("./loaded-service.ts");
    loaded = await module.loadService({
      load,
      protocolVersion,
      hosted: hosted !== undefined,
      loggerOf,
      formatOutput,
      onChange: () => watchdog.start(listener.address),
    });
    lifetime.endHandlers = loaded.endHandlers;
    return loaded;
  };
  const packaged = hosted && packagedResponses(protocolVersion);
  const registration: ServiceRegistration = packaged
    ? deferredService({ service, responses: packaged.responses, load: async () => (await loadService()).registration, loadAfterMs })
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
    // The grace period for responses in flight lets the host receive and record the saved states.
    loaded?.endHandlers(new Error("the provider was asked to shut down before the operation finished"));
    listener.close();
    stdio.end();
    // Closing a connection aborts the signals of its handlers, so running handlers are interrupted before `cleanup` runs.
    await carrier.close();
    await loaded?.close();
  });
  hosted?.standardOutput.sendTo((data) => stdio.write("stdout", data));
  listener.handOver((socket) => carrier.accept(socket));
  return { name };
}

/** Returns Tenon's carrier, or the reference carrier if `TENON_CARRIER` selects it for a comparison. */
async function chosenCarrier(): Promise<CreateCarrierServer> {
  if (process.env["TENON_CARRIER"] !== "connect-node") return createCarrierServer;
  return (await import("@tenon/protocol/carrier/connect-node-server")).createCarrierServer;
}
