// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../../error.ts";
import type { ApiClient } from "../client/api-client.ts";
import { customResourceDefinitions } from "../client/api-resource.ts";
import { Backoff } from "../client/backoff.ts";
import type { KubernetesObject } from "../client/kubernetes-object.ts";

/** A custom resource definition, with the fields that the installer reads. */
export interface CrdObject extends KubernetesObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

/** Options of {@link installCustomResourceDefinitions}. */
export interface CrdInstallationOptions {
  /** Name under which the API server records the fields of the definitions. */
  readonly fieldManager: string;
  /** Number of definitions that are installed concurrently. Default: 8. */
  readonly concurrency?: number;
  /** Time within which the API server must serve a definition, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when the API server serves a definition. */
  readonly onEstablished?: (name: string) => void;
}

/**
 * Applies custom resource definitions, and waits until the API server serves them all.
 *
 * @throws ApiError if the API server rejects a definition. BridgeError `CRD_NOT_ESTABLISHED` if it accepts a definition but does not serve it, for
 *   example because another definition has the same name.
 */
export async function installCustomResourceDefinitions(
  client: ApiClient,
  definitions: Iterable<CrdObject>,
  options: CrdInstallationOptions,
): Promise<void> {
  const queue = [...definitions];
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const worker = async (): Promise<void> => {
    for (let definition = queue.shift(); definition !== undefined; definition = queue.shift()) {
      await install(client, definition, { ...options, signal });
      options.onEstablished?.(definition.metadata.name);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(options.concurrency ?? 8, queue.length) }, worker));
  } finally {
    // After a failure, the other installations are stopped.
    stop.abort();
  }
}

async function install(
  client: ApiClient,
  definition: CrdObject,
  { fieldManager, timeoutMs = 60_000, signal }: CrdInstallationOptions,
): Promise<void> {
  const { name } = definition.metadata;
  const deadline = performance.now() + timeoutMs;
  const backoff = new Backoff({ initialMs: 50, maxMs: 1_000, jitter: 0.2 });
  let current = await client.apply<CrdObject>(customResourceDefinitions, definition, { fieldManager, force: true, signal });
  while (!isServed(current)) {
    const refusal = current.status?.conditions?.find(({ type, status }) => type === "NamesAccepted" && status === "False");
    if (refusal) {
      const message = `${name} is not served, because its names are not accepted: ${refusal.message ?? refusal.reason ?? "unknown reason"}`;
      throw new BridgeError("CRD_NOT_ESTABLISHED", message);
    }
    if (performance.now() > deadline) {
      throw new BridgeError("CRD_NOT_ESTABLISHED", `${name} is not served after ${timeoutMs} ms: ${conditionText(current)}`);
    }
    await backoff.wait(signal);
    current = await client.get<CrdObject>(customResourceDefinitions, { name }, { signal });
  }
}

function isServed(definition: CrdObject): boolean {
  const isTrue = (wanted: string): boolean =>
    definition.status?.conditions?.some(({ type, status }) => type === wanted && status === "True") === true;
  return isTrue("Established") && isTrue("NamesAccepted");
}

function conditionText({ status }: CrdObject): string {
  const texts = (status?.conditions ?? []).map(({ type, status: value, message }) => `${type}=${value}${message ? ` (${message})` : ""}`);
  return texts.length === 0 ? "it has no conditions" : texts.join(", ");
}
