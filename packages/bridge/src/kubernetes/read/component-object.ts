// SPDX-License-Identifier: Apache-2.0
import type { Condition } from "../reconcile/conditions.ts";
import type { ManagedResource, ManagedResourceSpec } from "../reconcile/managed-resource.ts";
import type { ObjectWriter } from "../reconcile/object-writer.ts";
import type { JsonObject } from "../values/json-value.ts";

/** A custom resource that represents a component that is only read: a data source, function, list resource or ephemeral resource. */
export interface ComponentObject extends ManagedResource {
  readonly spec: ComponentSpec;
  readonly status?: ComponentStatus;
}

/** The request: the arguments of the component, and the destinations of its results. */
export interface ComponentSpec extends Pick<ManagedResourceSpec, "providerConfigRef" | "writeConnectionSecretToRef"> {
  readonly forProvider: JsonObject;
  /** Of lists: maximum number of resources. Default: 100. */
  readonly limit?: number;
  /** Of lists: whether the status has the whole resources. Default: false. */
  readonly includeResources?: boolean;
  /** Of ephemeral resources: the Secret for their values. */
  readonly writeSecretToRef?: { readonly name: string; readonly namespace?: string };
}

/** The results of the last read. */
export interface ComponentStatus {
  readonly atProvider?: JsonObject;
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  /** Of ephemeral resources: when it was opened, as an RFC 3339 time. */
  readonly openedAt?: string;
  /** Of ephemeral resources: when the provider requires a renewal, as an RFC 3339 time. */
  readonly renewAt?: string;
}

/** Writes to the object of one component. */
export type ComponentWriter = ObjectWriter<ComponentObject>;
