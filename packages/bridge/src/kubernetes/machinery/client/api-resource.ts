// SPDX-License-Identifier: Apache-2.0

/** A kind of objects in one version of the API. */
export interface ApiResource {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Plural name in lower case, as in URLs. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The location of an object or, without `name`, of a collection. */
export interface ResourceLocation {
  /** Absent for cluster-scoped kinds, and for the objects of all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string;
  /** Such as `status`. */
  readonly subresource?: string | undefined;
}

/** Secrets. */
export const secrets: ApiResource = { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true };

/** Leases, with which replicas coordinate. */
export const leases: ApiResource = { group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases", namespaced: true };

/** Events about objects. */
export const events: ApiResource = { group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", namespaced: true };

/** Custom resource definitions. */
export const customResourceDefinitions: ApiResource = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
};

/** Returns the `apiVersion` of a resource's objects. */
export function apiVersionOf({ group, version }: ApiResource): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Returns the path of an object or a collection. */
export function resourcePath(resource: ApiResource, { namespace, name, subresource }: ResourceLocation): string {
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope = resource.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  const object = name === undefined ? "" : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${resource.plural}${object}${subresource === undefined ? "" : `/${subresource}`}`;
}
