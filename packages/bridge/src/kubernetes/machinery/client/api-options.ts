// SPDX-License-Identifier: Apache-2.0

/** Options of an `ApiClient`. */
export interface ApiClientOptions {
  /** Maximum number of requests in flight. Watches do not count. Default: 16. */
  readonly connections?: number;
  /** Time limit of a request, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Sent as `User-Agent`. Default: `tenon`. */
  readonly userAgent?: string;
  /** Called after each attempt. The status is 0 if no response arrived. */
  readonly onRequest?: (request: { readonly method: string; readonly status: number; readonly durationMs: number }) => void;
}

/** Options of any request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time limit in milliseconds. Default: the limit of the client. */
  readonly timeoutMs?: number;
}

/** The address of an object. */
export interface ObjectReference {
  readonly name: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
}

/** Options of a write. */
export interface WriteOptions extends RequestOptions {
  /** Subresource to write, such as `status`. Default: the object, without its subresources. */
  readonly subresource?: string;
  /** Name under which the server records the changed fields. */
  readonly fieldManager?: string;
  /** Whether the server only checks the request. Default: false. */
  readonly dryRun?: boolean;
  /** `Strict`: the server rejects unknown fields. Default: it drops them. */
  readonly fieldValidation?: "Strict";
}

/** Options of `ApiClient.apply`. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Whether to take over fields of other field managers. Without it, the server reports a conflict. Default: false. */
  readonly force?: boolean;
}

/** Options of `ApiClient.delete`. */
export interface DeleteOptions extends RequestOptions {
  /** UID and version that the object must have; if it has others, the server reports a conflict. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
}

/** Selects the objects of a list or a watch. */
export interface Selection {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Options of `ApiClient.list`. */
export interface ListOptions extends Selection, RequestOptions {
  /** Maximum number of objects in the page. Default: all. */
  readonly limit?: number;
  /** Token from the previous page. */
  readonly continue?: string | undefined;
  /** Version of the objects. Default: the newest one. */
  readonly resourceVersion?: string;
}

/** Options of `ApiClient.watch`. */
export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** Version after which the watch starts. Default: the newest one, after an event for each object. */
  readonly resourceVersion?: string | undefined;
  /** Whether the watch sends all objects first, and then a bookmark with the annotation `k8s.io/initial-events-end`. Default: false. */
  readonly sendInitialEvents?: boolean;
  /** Time after which the server ends the watch, in seconds. */
  readonly timeoutSeconds?: number;
  /** Time without an event or bookmark after which the connection counts as broken, in milliseconds. Default: 150,000. */
  readonly idleTimeoutMs?: number;
}
