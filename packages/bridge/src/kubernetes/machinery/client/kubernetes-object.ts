// SPDX-License-Identifier: Apache-2.0

/** The metadata of an object that Tenon reads or writes. */
export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  /** Incremented by the API server when the spec changes. */
  readonly generation?: number;
  readonly creationTimestamp?: string;
  /** Time at which the deletion was requested. The object exists until its last finalizer is removed. */
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** A reference to the owner of an object. Kubernetes deletes an object after its owner. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** An object of the API. Integers that a double cannot hold exactly are of type `bigint`. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMetadata;
}

/** One page of a list. */
export interface KubernetesList<Item extends KubernetesObject = KubernetesObject> {
  readonly metadata: {
    readonly resourceVersion?: string;
    /** Token for the next page; absent or empty on the last page. */
    readonly continue?: string;
  };
  readonly items: readonly Item[];
}

/** Returns the key of an object in caches and queues: `namespace/name`, or `name` of a cluster-scoped object. */
export function objectKey({ namespace, name }: { readonly namespace?: string | undefined; readonly name: string }): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** Splits a key into namespace and name. */
export function splitObjectKey(key: string): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
