// SPDX-License-Identifier: Apache-2.0
import { hostname } from "node:os";
import type { ProviderPoolSettings } from "../../provider/provider-pool.ts";
import { ApiClient } from "../machinery/client/api-client.ts";
import type { ClusterAccess } from "../machinery/client/cluster-access.ts";
import { findClusterAccess } from "../machinery/client/find-cluster-access.ts";
import { startHealthServer } from "../machinery/process/health-server.ts";
import { Metrics } from "../machinery/process/metrics.ts";
import { StructuredLog } from "../machinery/process/structured-log.ts";
import { untilTerminated, type Termination } from "../machinery/process/termination.ts";
import { readOperatorEnvironment, type OperatorEnvironment } from "../manifest/operator-environment.ts";
import type { OperatorDefinition } from "./operator-definition.ts";
import { Operator, type OperatorSettings } from "./operator.ts";
import { openConnections } from "./provider-connections.ts";

/** Options of {@link runOperator}. */
export interface RunOptions extends Partial<
  Pick<
    OperatorSettings,
    | "leaseTimes"
    | "pollMs"
    | "pollJitter"
    | "changeTimeoutMs"
    | "workers"
    | "queue"
    | "timeoutMs"
    | "progressMs"
    | "maxOperations"
    | "metrics"
  >
> {
  /** Returns the configured resource type of an object. For a definition with `open`, whose instance is used for the schemas only then. */
  readonly connect?: OperatorSettings["connect"];
  /** Limits of the provider's instances. */
  readonly pool?: Omit<ProviderPoolSettings, "onEvent">;
  /** The environment variables. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Access to the API server. Default: the result of `findClusterAccess`. */
  readonly access?: ClusterAccess;
  /** Receives the lines of the log. Default: standard error. */
  readonly writeLog?: (line: string) => void;
  /** Called when the operator is ready. */
  readonly onReady?: (ready: { readonly healthPort: number }) => void;
}

/**
 * Runs an operator until the process receives SIGTERM or SIGINT. Then it drains within the grace period of its pod.
 *
 * The definitions of the kinds must be installed: {@link operatorManifest} has them. After the provider's schema has changed, `migrateDefinitions`
 * upgrades them before the operator starts, with other permissions: the operator has none for definitions.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`, `INVALID_KUBECONFIG`; the error of the provider if it cannot be opened.
 */
export async function runOperator(definition: OperatorDefinition, options: RunOptions = {}): Promise<void> {
  const environment = readOperatorEnvironment(options.environment ?? process.env);
  const access = options.access ?? (await findClusterAccess({ environment: options.environment ?? process.env }));
  const run = (termination: Termination): Promise<void> => work(definition, options, environment, access, termination);
  await untilTerminated(run, { graceMs: environment.graceSeconds * 1000 });
}

async function work(
  definition: OperatorDefinition,
  options: RunOptions,
  environment: OperatorEnvironment,
  access: ClusterAccess,
  { draining, ending }: Termination,
): Promise<void> {
  const { healthPort, logLevel, member = `${hostname()}-${process.pid}`.toLowerCase() } = environment;
  const { metrics = new Metrics(), writeLog } = options;
  const log = new StructuredLog({ level: logLevel, ...(writeLog ? { write: writeLog } : {}) }, { operator: definition.name, member });
  let operator: Operator | undefined;
  const unready = (): readonly string[] => {
    if (draining.aborted) return ["the operator is ending"];
    return operator?.unready ?? ["the provider is not open yet"];
  };
  await using health = await startHealthServer({ port: healthPort, unready, metrics });
  await using client = await ApiClient.open(access, { userAgent: `tenon/${definition.name}` });
  await using cleanUp = new AsyncDisposableStack();
  const { watchNamespace } = environment;
  const { kinds, configs, connect, close } = await openConnections(definition, {
    client,
    log,
    providerLog: { onLog: (line) => operator?.addLogLine(line), logLevel: logLevel === "debug" ? "debug" : "info" },
    watchNamespace,
    environment: options.environment ?? process.env,
    pool: options.pool,
  });
  cleanUp.defer(close);
  operator = new Operator({
    ...options,
    client,
    name: definition.name,
    member,
    namespace: environment.namespace ?? access.namespace ?? "default",
    watchNamespace,
    kinds,
    version: definition.version,
    shards: environment.shards,
    configs,
    connect: options.connect ?? connect,
    log,
    metrics,
  });
  log.info("the operator is starting", { kinds: kinds.map(({ names }) => names.kind), healthPort: health.port });
  const ready = operator.synced.then(() => {
    log.info("the operator is ready");
    return options.onReady?.({ healthPort: health.port });
  });
  // Stays pending if the operator ends before it is ready.
  void ready;
  await operator.run(draining, ending);
  log.info("the operator has ended");
}
