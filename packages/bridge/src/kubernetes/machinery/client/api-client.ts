// SPDX-License-Identifier: Apache-2.0
import { setTimeout as delay } from "node:timers/promises";
import type {
  ApiClientOptions,
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  ObjectReference,
  RequestOptions,
  Selection,
  WatchOptions,
  WriteOptions,
} from "./api-options.ts";
import { ApiError, isNotFound, type ApiStatus } from "./api-error.ts";
import { apiVersionOf, resourcePath, type ApiResource } from "./api-resource.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { ConnectionPool, type HttpRequest, type HttpResponse } from "./connection-pool.ts";
import type { Credential } from "./credentials.ts";
import { jsonText, parseJson, type JsonObject } from "../../values/json-value.ts";
import type { KubernetesList, KubernetesObject } from "./kubernetes-object.ts";
import { watchEvents, type WatchEvent } from "./watch-events.ts";

/** Maximum number of attempts while the server is overloaded. */
const maxAttempts = 8;
/** Maximum delay between two attempts, in seconds. */
const maxRetryAfterSeconds = 20;

/** A request that the client sends until the server answers it. */
interface RepeatedRequest {
  /** Method and path, for errors. */
  readonly request: string;
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly options: RequestOptions;
  readonly content: { readonly type: string; readonly text: string } | undefined;
}

/**
 * A client of one Kubernetes API server. Its methods throw {@link ApiError}.
 *
 * The client repeats requests that an overloaded server rejects (429, or 503 with `Retry-After`), and repeats a read once after a broken
 * connection. It does not repeat a write whose outcome is unknown.
 */
export class ApiClient implements AsyncDisposable {
  readonly #pool: ConnectionPool;
  readonly #access: ClusterAccess;
  readonly #options: ApiClientOptions;
  readonly #prefix: string;
  readonly #headers: Readonly<Record<string, string | string[]>>;

  private constructor(pool: ConnectionPool, access: ClusterAccess, options: ApiClientOptions) {
    this.#pool = pool;
    this.#access = access;
    this.#options = options;
    this.#prefix = access.server.pathname.replace(/\/$/, "");
    const { impersonation: as } = access;
    this.#headers = {
      accept: "application/json",
      "user-agent": options.userAgent ?? "tenon",
      ...(as ? { "impersonate-user": as.user } : {}),
      ...(as?.uid ? { "impersonate-uid": as.uid } : {}),
      ...(as?.groups ? { "impersonate-group": [...as.groups] } : {}),
    };
  }

  /** Creates a client. It opens connections when they are first needed. */
  static async open(access: ClusterAccess, options: ApiClientOptions = {}): Promise<ApiClient> {
    const pool = await ConnectionPool.open(access, { connections: options.connections ?? 16, connectTimeoutMs: 10_000 });
    return new ApiClient(pool, access, options);
  }

  /** Default namespace of the client: the namespace of its pod, or of the kubeconfig context. */
  get namespace(): string {
    return this.#access.namespace;
  }

  /** Reads an object. */
  async get<Item extends KubernetesObject>(resource: ApiResource, reference: ObjectReference, options: RequestOptions = {}): Promise<Item> {
    return (await this.#request("GET", resourcePath(resource, reference), options)) as Item;
  }

  /** Reads an object. Returns undefined if it does not exist. */
  async find<Item extends KubernetesObject>(
    resource: ApiResource,
    reference: ObjectReference,
    options: RequestOptions = {},
  ): Promise<Item | undefined> {
    try {
      return await this.get<Item>(resource, reference, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Reads a page of objects. */
  async list<Item extends KubernetesObject>(resource: ApiResource, options: ListOptions = {}): Promise<KubernetesList<Item>> {
    const { namespace, limit, continue: token, resourceVersion } = options;
    const query = { ...selectors(options), limit, continue: token, resourceVersion };
    return (await this.#request("GET", withQuery(resourcePath(resource, { namespace }), query), options)) as KubernetesList<Item>;
  }

  /** Creates an object. */
  async create<Item extends KubernetesObject>(resource: ApiResource, object: Item, options: WriteOptions = {}): Promise<Item> {
    const path = resourcePath(resource, { namespace: object.metadata.namespace });
    return (await this.#request("POST", withQuery(path, writeQuery(options)), options, withType(resource, object))) as Item;
  }

  /** Replaces an object. If it has a `resourceVersion` that is not the current one, the server reports a conflict. */
  async replace<Item extends KubernetesObject>(resource: ApiResource, object: Item, options: WriteOptions = {}): Promise<Item> {
    const { namespace, name } = object.metadata;
    const path = resourcePath(resource, { namespace, name, subresource: options.subresource });
    return (await this.#request("PUT", withQuery(path, writeQuery(options)), options, withType(resource, object))) as Item;
  }

  /** Changes the fields of an object that a merge patch contains; `null` removes a field. A `metadata.resourceVersion` in the patch makes it conditional. */
  async mergePatch<Item extends KubernetesObject>(
    resource: ApiResource,
    reference: ObjectReference,
    patch: object,
    options: WriteOptions = {},
  ): Promise<Item> {
    const path = withQuery(resourcePath(resource, { ...reference, subresource: options.subresource }), writeQuery(options));
    return (await this.#request("PATCH", path, options, patch, "application/merge-patch+json")) as Item;
  }

  /** Applies the fields of an object (server-side apply). Creates the object if it does not exist. */
  async apply<Item extends KubernetesObject>(resource: ApiResource, object: Item, options: ApplyOptions): Promise<Item> {
    const { namespace, name } = object.metadata;
    const path = resourcePath(resource, { namespace, name, subresource: options.subresource });
    const query = { ...writeQuery(options), force: options.force ? "true" : undefined };
    const body = withType(resource, object);
    return (await this.#request("PATCH", withQuery(path, query), options, body, "application/apply-patch+yaml")) as Item;
  }

  /** Deletes an object. */
  async delete(resource: ApiResource, reference: ObjectReference, options: DeleteOptions = {}): Promise<void> {
    const { preconditions, propagationPolicy } = options;
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      ...(preconditions ? { preconditions } : {}),
      ...(propagationPolicy ? { propagationPolicy } : {}),
    };
    await this.#request("DELETE", resourcePath(resource, reference), options, body);
  }

  /**
   * Watches objects, until the server or the signal ends the watch.
   *
   * @throws ApiError if the version is no longer available (see {@link isExpired}), and after other failures.
   */
  async *watch<Item extends KubernetesObject>(resource: ApiResource, options: WatchOptions = {}): AsyncGenerator<WatchEvent<Item>> {
    const { namespace, resourceVersion, sendInitialEvents, timeoutSeconds, idleTimeoutMs = 150_000, signal } = options;
    const path = resourcePath(resource, { namespace });
    const query = {
      ...selectors(options),
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion,
      timeoutSeconds,
      ...(sendInitialEvents ? { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan" } : {}),
    };
    const request = `WATCH ${path}`;
    const credential = await this.#access.credentials.current();
    const started = performance.now();
    let status = 0;
    try {
      const http = this.#httpRequest("GET", withQuery(path, query), credential, { signal, timeoutMs: idleTimeoutMs });
      const stream = await this.#pool.stream(http, credential);
      status = stream.status;
      if (status !== 200) throw this.#rejection(request, { status, headers: stream.headers, body: await textOf(stream.body) });
      yield* watchEvents<Item>(request, stream.body);
    } catch (error) {
      if (error instanceof ApiError || signal?.aborted) throw error;
      throw new ApiError({ request, status: 0 }, { cause: error });
    } finally {
      this.#options.onRequest?.({ method: "WATCH", status, durationMs: performance.now() - started });
    }
  }

  /** Closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }

  async #request(
    method: HttpRequest["method"],
    path: string,
    options: RequestOptions,
    body?: object,
    contentType = "application/json",
  ): Promise<unknown> {
    const request = `${method} ${path.replace(/\?.*$/, "")}`;
    const text = body === undefined ? undefined : jsonText(body as JsonObject);
    const sent = { request, method, path, options, content: text === undefined ? undefined : { type: contentType, text } };
    let refreshed = false;
    for (let attempt = 1; ; attempt++) {
      const response = await this.#attempt(sent, attempt);
      if (response === undefined) continue;
      if (response.status < 300) return response.body === "" ? undefined : parseJson(response.body);
      const rejection = this.#rejection(request, response);
      if (rejection.status === 401 && !refreshed) {
        refreshed = true;
        this.#access.credentials.invalidate();
        continue;
      }
      if (attempt >= maxAttempts || !isOverload(rejection, response)) throw rejection;
      const seconds = Math.min(rejection.retryAfterSeconds ?? 1, maxRetryAfterSeconds);
      await delay(seconds * 1000 * (1 + Math.random() * 0.2), undefined, options.signal ? { signal: options.signal } : {});
    }
  }

  /** Sends a request once. Returns undefined if the caller may repeat it immediately. */
  async #attempt({ request, method, path, options, content }: RepeatedRequest, attempt: number): Promise<HttpResponse | undefined> {
    const credential = await this.#access.credentials.current();
    const http = this.#httpRequest(method, path, credential, options);
    const started = performance.now();
    let status = 0;
    try {
      const withContent = content && { ...http, headers: { ...http.headers, "content-type": content.type }, body: content.text };
      const response = await this.#pool.send(withContent ?? http, credential);
      status = response.status;
      return response;
    } catch (error) {
      if (options.signal?.aborted) throw error;
      // The server may have closed an idle connection while the request was on its way.
      if (method === "GET" && attempt === 1 && (error as Error).name !== "TimeoutError") return undefined;
      throw new ApiError({ request, status: 0 }, { cause: error });
    } finally {
      this.#options.onRequest?.({ method, status, durationMs: performance.now() - started });
    }
  }

  #httpRequest(method: HttpRequest["method"], path: string, credential: Credential, options: RequestOptions): HttpRequest {
    const { authorization } = credential;
    return {
      method,
      path: `${this.#prefix}${path}`,
      headers: authorization ? { ...this.#headers, authorization } : { ...this.#headers },
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? 30_000,
    };
  }

  #rejection(request: string, { status, headers, body }: HttpResponse): ApiError {
    const retryAfter = Number(headers["retry-after"]);
    return new ApiError({
      request,
      status,
      response: statusOf(body),
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    });
  }
}

function isOverload({ status, retryAfterSeconds }: ApiError, { headers }: HttpResponse): boolean {
  return status === 429 || (status === 503 && (retryAfterSeconds !== undefined || headers["retry-after"] !== undefined));
}

function statusOf(body: string): ApiStatus {
  try {
    const parsed = JSON.parse(body) as ApiStatus & { readonly kind?: string };
    if (parsed.kind === "Status") return parsed;
  } catch {
    // The response comes from a proxy, not from the API server.
  }
  return { message: body.slice(0, 200).trim() };
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function withType<Item extends KubernetesObject>(resource: ApiResource, object: Item): Item {
  return { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind };
}

type Query = Readonly<Record<string, string | number | undefined>>;

function selectors({ labelSelector, fieldSelector }: Selection): Query {
  return { labelSelector, fieldSelector };
}

function writeQuery({ fieldManager, dryRun, fieldValidation }: WriteOptions): Query {
  return { fieldManager, dryRun: dryRun ? "All" : undefined, fieldValidation };
}

function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") parameters.set(name, String(value));
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
