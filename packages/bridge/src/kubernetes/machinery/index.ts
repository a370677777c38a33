// SPDX-License-Identifier: Apache-2.0
/**
 * Building blocks of Kubernetes controllers: a client, caches that a watch keeps up to date, a work queue, leases, events, health and metrics.
 * The operator of `@tenon/bridge/kubernetes` uses them; other controllers can, too.
 *
 * @module
 */
export { ApiClient } from "./client/api-client.ts";
export type {
  ApiClientOptions,
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  ObjectReference,
  RequestOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from "./client/api-options.ts";
export { ApiError, isAlreadyExists, isConflict, isExpired, isNotFound, type ApiFailure, type ApiStatus } from "./client/api-error.ts";
export { apiVersionOf, customResourceDefinitions, events, leases, secrets, type ApiResource } from "./client/api-resource.ts";
export type { BackoffSettings } from "./client/backoff.ts";
export type { ClusterAccess, Impersonation } from "./client/cluster-access.ts";
export { findClusterAccess, type ClusterAccessOptions } from "./client/find-cluster-access.ts";
export { FixedCredential, TokenFile, type ClientCertificate, type Credential, type CredentialSource } from "./client/credentials.ts";
export { objectKey, splitObjectKey } from "./client/kubernetes-object.ts";
export type { KubernetesList, KubernetesObject, ObjectMetadata, OwnerReference } from "./client/kubernetes-object.ts";
export { retryOnConflict, type RetryOnConflictOptions } from "./client/retry-on-conflict.ts";
export type { WatchEvent } from "./client/watch-events.ts";

export { WorkQueue, type WorkQueueSettings } from "./queue/work-queue.ts";

export { ObjectCache, type ObjectCacheSettings } from "./cache/object-cache.ts";
export { ObjectStore, type IndexFunction, type ObjectChange } from "./cache/object-store.ts";
export { Reflector, type ReflectorSettings, type ReflectorStep, type ReflectorTarget } from "./cache/reflector.ts";

export { startHealthServer, type HealthServer, type HealthServerSettings } from "./process/health-server.ts";
export { Metrics, type Counter, type Histogram, type MetricLabels } from "./process/metrics.ts";
export { createTraceId, StructuredLog } from "./process/structured-log.ts";
export type { LogFields, LogLevel, StructuredLogSettings } from "./process/structured-log.ts";
export { untilTerminated, type Termination, type TerminationSettings } from "./process/termination.ts";

export { runAsLeader, type LeaderElectionSettings } from "./lease/leader-election.ts";
export { ShardLeases, type ShardLeasesSettings } from "./lease/shard-leases.ts";
export { shardOf } from "./lease/shard.ts";
export type { LeaseTimes } from "./lease/lease-record.ts";

export { EventRecorder, type EventRecorderSettings, type ObjectEvent } from "./event/event-recorder.ts";
export { installCustomResourceDefinitions, type CrdInstallationOptions, type CrdObject } from "./installation/crd-installer.ts";
export { Controller, controllerMetrics } from "./controller/controller.ts";
export type { ControllerMetrics, ControllerSettings, Reconcile, ReconcileContext, ReconcileResult } from "./controller/controller.ts";
