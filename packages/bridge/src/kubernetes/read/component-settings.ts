// SPDX-License-Identifier: Apache-2.0
import type { ComponentMapping } from "../mapping/map-components.ts";
import type { ProviderConfigs } from "../provider-config/provider-configs.ts";
import type { KindControllerSettings } from "../reconcile/kind-controller.ts";

/** Settings of a controller of components. */
export interface ComponentControllerSettings extends Pick<
  KindControllerSettings,
  | "client"
  | "version"
  | "namespace"
  | "states"
  | "connections"
  | "events"
  | "relatedKind"
  | "pollMs"
  | "pollJitter"
  | "log"
  | "metrics"
  | "shards"
  | "queue"
> {
  readonly kind: ComponentMapping;
  /** Configured providers. */
  readonly configs: ProviderConfigs;
  /** Number of objects that are read at once. Default: 4. */
  readonly workers?: number;
}
