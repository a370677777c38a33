// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ControllerMetrics } from "../machinery/controller/controller.ts";
import type { EventRecorder } from "../machinery/event/event-recorder.ts";
import type { ShardLeases } from "../machinery/lease/shard-leases.ts";
import type { StructuredLog } from "../machinery/process/structured-log.ts";
import type { WorkQueueSettings } from "../machinery/queue/work-queue.ts";
import type { ComponentMapping } from "../mapping/map-components.ts";
import type { ProviderConfigs } from "../provider-config/provider-configs.ts";
import type { ReferenceContext } from "../reconcile/references.ts";
import type { StateStore } from "../state/state-store.ts";

/** Settings of a a controller of components. */
export interface ComponentControllerSettings {
  readonly client: ApiClient;
  readonly kind: ComponentMapping;
  /** Version of the kind's API, such as `v1alpha1`. */
  readonly version: string;
  /** Namespace whose objects are read. Default: all. */
  readonly namespace?: string;
  /** Configured providers. */
  readonly configs: ProviderConfigs;
  /** States of ephemeral resources. */
  readonly states: StateStore;
  readonly events: EventRecorder;
  readonly relatedKind: ReferenceContext["relatedKind"];
  /** Time between two reads, in milliseconds. Default: 60,000. */
  readonly pollMs?: number;
  /** Share of that time by which it is longer or shorter at random. Default: 0.1. */
  readonly pollJitter?: number;
  readonly log: StructuredLog;
  readonly metrics?: ControllerMetrics;
  /** Shards of the objects. Default: this replica reads all objects. */
  readonly shards?: ShardLeases;
  /** Number of objects that are read at once. Default: 4. */
  readonly workers?: number;
  /** Rates of repeated reads. */
  readonly queue?: WorkQueueSettings;
}
