// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { OperationOptions, ResourceType } from "@tenon/schema/lifecycle";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import { objectKey } from "../machinery/client/kubernetes-object.ts";
import type { ReconcileContext } from "../machinery/controller/controller.ts";
import type { EventRecorder } from "../machinery/event/event-recorder.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { ResourceState, StateStore } from "../state/state-store.ts";
import type { ConnectionCache } from "./connection-cache.ts";
import type { ManagedResource, ProviderConfigReference } from "./managed-resource.ts";
import type { ResourceObservation } from "./observe-resource.ts";
import type { Permissions } from "./policies.ts";
import type { PollSettings } from "./poll-delay.ts";
import type { ReferenceContext } from "./references.ts";
import type { ResourceWriter } from "./resource-writer.ts";
import type { RunningOperations } from "./running-operations.ts";
import type { SecretValues } from "./secret-values.ts";

/** Settings of a `ResourceReconciler`. */
export interface ResourceReconcilerSettings extends PollSettings {
  readonly client: ApiClient;
  readonly kind: KindMapping;
  /** The kind as the API serves it. */
  readonly resource: ApiResource;
  /** Returns an object by its key, from a cache. */
  readonly find: (key: string) => ManagedResource | undefined;
  readonly states: StateStore;
  /** A cache of connection Secrets. Default: they are read from the API server. */
  readonly connections?: ConnectionCache["objects"];
  readonly events: EventRecorder;
  /** Returns the resource type of a configured provider. */
  readonly connect: (reference: ProviderConfigReference, owner: ManagedResource, signal: AbortSignal) => Promise<ResourceType>;
  readonly relatedKind: ReferenceContext["relatedKind"];
  /** Time limit of a change that the provider makes, in milliseconds. Default: 3,600,000. */
  readonly changeTimeoutMs?: number;
  /** Changes of resource types with the rule `asynchronous`. Default: they block the reconcile, as those of other types do. */
  readonly operations?: RunningOperations;
  /** Time between two updates of the progress of an operation in the status, in milliseconds. Default: 10,000. */
  readonly progressMs?: number;
}

/** One reconcile of one object. */
export interface Work {
  readonly key: string;
  readonly writer: ResourceWriter;
  readonly permissions: Permissions;
  readonly context: ReconcileContext;
  /** Whether caches may not have the outcome of the last change yet. */
  readonly isAhead: boolean;
  /** Reads the Secrets that the parameters refer to, once. */
  readonly secrets: () => Promise<SecretValues>;
}

/** What is known of the resource when it has been observed. */
export interface Observed {
  readonly type: ResourceType;
  readonly state: ResourceState;
  readonly config: Value;
  readonly observation: ResourceObservation;
}

/** Returns the kind and name of an object, for messages. */
export function objectName({ names }: KindMapping, { metadata: { namespace, name } }: ManagedResource): string {
  return `${names.kind} ${objectKey({ namespace, name })}`;
}

/** Options of the calls about an object: it has its kind and name in messages. */
export function operationOptions(kind: KindMapping, owner: ManagedResource, signal: AbortSignal): OperationOptions {
  return { address: objectName(kind, owner), signal };
}
