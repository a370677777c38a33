// SPDX-License-Identifier: Apache-2.0
import type { CarrierSession, ServiceRegistration } from "@tenon/protocol/carrier";
import type { ApplyResourceChangeResponse, Provider } from "@tenon/schema";
import type { Logger } from "../logger.ts";
import { stackOf } from "../observability/error-stack.ts";
import { endHandlers } from "../server/call/running-handlers.ts";
import { processSecrets } from "../server/instance/process-secrets.ts";
import { refuseExitInHandlers } from "./exit-guard.ts";
import { instancePerSession, sharedInstance } from "./instances.ts";
import { loadProvider } from "./load-provider.ts";
import type { OutputFormat } from "./output-mask.ts";
import { providerService } from "./provider-service.ts";
import type { ProviderModule } from "./serve-options.ts";

/** Options of {@link loadService}. */
export interface LoadedServiceOptions {
  readonly load: () => Promise<ProviderModule>;
  /** Negotiated protocol version, 5 or 6. */
  readonly protocolVersion: number;
  /** Whether the process belongs to the host that started it. */
  readonly hosted: boolean;
  /** Returns the logger for the provider with this name. */
  readonly loggerOf: (name: string | undefined) => Logger;
  /** Sets the format of the process's output. */
  readonly formatOutput: (format: OutputFormat) => void;
  /** Called before every change: the call of a handler that applies or invokes something, which waits for the promise, if any. */
  readonly onChange: () => Promise<void> | undefined;
}

/** The author's provider as a gRPC service, with its lifecycle functions. */
export interface LoadedService {
  /** Undefined when the provider could not be loaded. */
  readonly name: string | undefined;
  /** The service to register with the carrier. */
  readonly registration: ServiceRegistration;
  /** Releases the instance of a connection that has closed. */
  readonly release: (session: CarrierSession) => void;
  /** Sends the responses of all running handlers that have saved state. Returns whether there is such a handler. */
  readonly endHandlers: (reason: Error) => boolean;
  /** Closes all instances. */
  readonly close: () => Promise<void>;
}

/**
 * Loads the author's module, the SDK's server and the messages of one protocol version. If the module cannot be loaded, the service
 * answers every call with the load error.
 */
export async function loadService(options: LoadedServiceOptions): Promise<LoadedService> {
  const { load, protocolVersion, hosted, loggerOf, formatOutput, onChange } = options;
  formatOutput({ mask: processSecrets, stackOf });
  refuseExitInHandlers();
  const { name, loadError, createInstance } = await loadProvider(load, protocolVersion);
  const logger = loggerOf(name);
  if (loadError !== undefined) logger({ level: "error", message: "the provider cannot be loaded", fields: { error: stackOf(loadError) } });
  const instances = (hosted ? sharedInstance : instancePerSession)(() =>
    announcingChanges(createInstance(logger, shouldCheckResponses(hosted)), onChange),
  );
  return {
    name,
    registration: await dumped(await providerService(protocolVersion, instances.of), logger),
    release: instances.release,
    endHandlers,
    close: instances.close,
  };
}

/** Calls `onChange` before every change of the provider. */
function announcingChanges(provider: Provider, onChange: () => Promise<void> | undefined): Provider {
  return {
    ...provider,
    applyResourceChange(request, options) {
      const announced = onChange();
      const change = (): Promise<ApplyResourceChangeResponse> => provider.applyResourceChange(request, options);
      return announced === undefined ? change() : announced.then(change);
    },
    async *invokeAction(request, options) {
      await onChange();
      yield* provider.invokeAction(request, options);
    },
  };
}

/** Whether the provider checks its responses. `TENON_PROVIDER_CHECK` decides; by default it does so in debug mode only. */
function shouldCheckResponses(isHosted: boolean): boolean {
  const setting = process.env["TENON_PROVIDER_CHECK"];
  return setting ? setting !== "0" : !isHosted;
}

/** Wraps the service so that it dumps its messages, if `TF_LOG_SDK_PROTO_DATA_DIR` is set. */
async function dumped(registration: ServiceRegistration, logger: Logger): Promise<ServiceRegistration> {
  const folder = process.env["TF_LOG_SDK_PROTO_DATA_DIR"];
  if (!folder) return registration;
  const { dumpingService } = await import("./message-dump.ts");
  return dumpingService(registration, folder, (error) =>
    logger({ level: "error", message: "Cannot write protocol data", fields: { error: error.message } }),
  );
}
