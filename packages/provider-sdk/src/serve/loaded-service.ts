// SPDX-License-Identifier: Apache-2.0
import type { CarrierSession, ServiceRegistration } from "@tenon/protocol/carrier";
import type { Logger } from "../logger.ts";
import { endHandlers } from "../server/last-answer.ts";
import { instancePerSession, sharedInstance } from "./instances.ts";
import { loadProvider } from "./load-provider.ts";
import { providerService } from "./provider-service.ts";
import type { ProviderModule } from "./serve-options.ts";

export interface LoadedServiceOptions {
  readonly load: () => Promise<ProviderModule>;
  /** 5 or 6. */
  readonly protocolVersion: number;
  /** Of a process that belongs to the host that started it. */
  readonly hosted: boolean;
  /** The log of a provider of this name. */
  readonly loggerOf: (name: string | undefined) => Logger;
}

/** The author's provider as a service, with all that hangs on it. */
export interface LoadedService {
  /** Undefined when the provider could not be loaded. */
  readonly name: string | undefined;
  /** Why it could not. */
  readonly loadError: Error | undefined;
  readonly registration: ServiceRegistration;
  /** A connection is over. */
  readonly release: (session: CarrierSession) => void;
  /** Handlers at work answer what they have saved; whether there is any. */
  readonly endHandlers: (reason: Error) => boolean;
  readonly close: () => Promise<void>;
}

/** Loads the author's module, what it is made with, and the messages of one protocol version. A module that fails is served as that. */
export async function loadService({ load, protocolVersion, hosted, loggerOf }: LoadedServiceOptions): Promise<LoadedService> {
  const { name, loadError, createInstance } = await loadProvider(load, protocolVersion);
  const logger = loggerOf(name);
  const instances = (hosted ? sharedInstance : instancePerSession)(() => createInstance(logger, checksAnswers(hosted)));
  return {
    name,
    loadError,
    registration: await dumped(await providerService(protocolVersion, instances.of), logger),
    release: instances.release,
    endHandlers,
    close: instances.close,
  };
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
