// SPDX-License-Identifier: Apache-2.0
import type { Condition } from "../reconcile/conditions.ts";
import type { ManagedResource, ManagedResourceSpec } from "../reconcile/managed-resource.ts";
import type { JsonObject } from "../values/json-value.ts";

/** A custom resource that stands for something that is only read. */
export interface ComponentObject extends ManagedResource {
  readonly spec: ComponentSpec;
  readonly status?: ComponentStatus;
}

/** What the user wants to read. */
export interface ComponentSpec extends Pick<ManagedResourceSpec, "providerConfigRef" | "writeConnectionSecretToRef"> {
  readonly forProvider: JsonObject;
  /** Of lists: maximum number of resources. Default: 100. */
  readonly limit?: number;
  /** Of lists: whether the status has the whole resources. Default: false. */
  readonly includeResources?: boolean;
  /** Of ephemeral resources: the Secret for their values. */
  readonly writeSecretToRef?: { readonly name: string; readonly namespace?: string };
}

/** What was read. */
export interface ComponentStatus {
  readonly atProvider?: JsonObject;
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  /** Of ephemeral resources, as RFC 3339 times. */
  readonly openedAt?: string;
  readonly renewAt?: string;
}
