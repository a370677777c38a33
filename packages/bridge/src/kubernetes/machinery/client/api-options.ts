// SPDX-License-Identifier: Apache-2.0

/** Options of an `ApiClient`. */
export interface ApiClientOptions {
  /** Maximum number of requests in flight. Watches do not count. Default: 16. */
  readonly connections?: number;
  /** Time limit of a request, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Sent as `User-Agent`. Default: `tenon`. */
  readonly userAgent?: string;
  /** Called after each response, and after each failed attempt with status 0. */
  readonly onRequest?: (request: { readonly method: string; readonly status: number; readonly durationMs: number }) => void;
}

/** Options of any request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: that of the client. */
  readonly timeoutMs?: number;
}

/** Which object a request is about. */
export interface ObjectReference {
  readonly name: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
}

/** Options of a write. */
export interface WriteOptions extends RequestOptions {
  /** Such as `status`. Default: the object itself, without the parts that are subresources. */
  readonly subresource?: string;
  /** Name that the changed fields are recorded with. */
  readonly fieldManager?: string;
  /** Whether the server only checks the request. Default: false. */
  readonly dryRun?: boolean;
  /** Whether the server refuses fields that it does not know, rather than dropping them. Default: it drops them. */
  readonly fieldValidation?: "Strict";
}

/** Options of `ApiClient.apply`. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Whether fields of other managers are taken over, rather than refused with a conflict. Default: false. */
  readonly force?: boolean;
}

/** Options of `ApiClient.delete`. */
export interface DeleteOptions extends RequestOptions {
  /** The delete is refused with a conflict where the object has another UID or version. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
}

/** Which objects a list or a watch contains. */
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
  /** Token of the page before. */
  readonly continue?: string | undefined;
  /** Default: the newest version. */
  readonly resourceVersion?: string;
}

/** Options of `ApiClient.watch`. */
export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** Version that the watch begins after. Default: the newest version, with an event for each object. */
  readonly resourceVersion?: string | undefined;
  /** Whether the watch sends all objects first, and then a bookmark with the annotation `k8s.io/initial-events-end`. Default: false. */
  readonly sendInitialEvents?: boolean;
  /** Time after which the server ends the watch. */
  readonly timeoutSeconds?: number;
  /** Time without an event or bookmark after which the connection counts as broken, in milliseconds. Default: 150,000. */
  readonly idleTimeoutMs?: number;
}
