// SPDX-License-Identifier: Apache-2.0
// The remote system of this example: a DNS service with an HTTP API. Like real services, it has pages, rate limits, work that continues
// after the response, versions against lost updates, and a secret that is shown once.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Zone {
  readonly name: string;
  readonly contact: string;
  readonly status: "provisioning" | "active" | "deleting";
  readonly nameservers: readonly string[];
}

export interface RecordSet {
  readonly zone: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly values: readonly string[];
}

export interface Key {
  readonly id: string;
  readonly zone: string;
  readonly label: string;
  /** Present only in the response to the creation. */
  readonly secret?: string;
}

export interface ServiceOptions {
  /** Token that authorises every request. */
  readonly token: string;
  /** Maximum number of objects on a page. Default: 2, so that tests see several pages. */
  readonly pageSize?: number;
  /** Number of reads of a zone after which it becomes active or disappears. Default: 2. */
  readonly readsUntilReady?: number;
  /** Rejects every n-th request, in turn with 429 and 503; a creation always with 429, as a client must not repeat it after 503. Default: none. */
  readonly failEvery?: number;
  /** Called with each request as it arrives: `GET /zones`. */
  readonly onRequest?: (request: string) => void;
}

/** A running DNS service. Tests change its contents to cause drift. */
export interface Service extends AsyncDisposable {
  readonly url: string;
  readonly zones: Map<string, Zone>;
  /** Records by `zone/name/type`. */
  readonly records: Map<string, RecordSet>;
  readonly keys: Map<string, Key>;
  /** Requests so far: `GET /zones`. */
  readonly requests: string[];
}

/** Starts the service on a free port. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const service = new NameService(options);
  const server = createServer((request, response) => void service.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { zones, records, keys, requests } = service;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, zones, records, keys, requests, [Symbol.asyncDispose]: () => closed(server) };
}

/** Computes the version of an object, which a change must name. */
export function versionOf(object: unknown): string {
  return `"${createHash("sha256").update(JSON.stringify(object)).digest("hex").slice(0, 16)}"`;
}

/** A response of the service. */
interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const notFound: Reply = { status: 404, body: { error: "not found" } };

class NameService {
  readonly zones = new Map<string, Zone>();
  readonly records = new Map<string, RecordSet>();
  readonly keys = new Map<string, Key>();
  readonly requests: string[] = [];
  readonly #readsLeft = new Map<string, number>();
  readonly #options: Required<ServiceOptions>;

  constructor(options: ServiceOptions) {
    this.#options = { pageSize: 2, readsUntilReady: 2, failEvery: Infinity, onRequest: () => {}, ...options };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const text = (await Array.fromAsync(request)).join("");
    const line = `${request.method} ${url.pathname}${url.search}`;
    this.requests.push(line);
    this.#options.onRequest(line);
    const { status, body, headers } =
      this.#rejectionOf(request) ?? this.#route(request, url, text === "" ? {} : (JSON.parse(text) as object));
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  #rejectionOf(request: IncomingMessage): Reply | undefined {
    if (request.headers.authorization !== `Bearer ${this.#options.token}`) return { status: 401, body: { error: "invalid token" } };
    const nth = this.requests.length;
    if (nth % this.#options.failEvery !== 0) return undefined;
    return nth % (2 * this.#options.failEvery) === 0 && request.method !== "POST"
      ? { status: 503, body: { error: "temporarily unavailable" } }
      : { status: 429, body: { error: "rate limit exceeded" }, headers: { "retry-after": "0" } };
  }

  #route({ method, headers }: IncomingMessage, url: URL, body: object): Reply {
    const [collection, zone = "", ...rest] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    const match = headers["if-match"];
    switch (`${method} ${collection}/${rest.length > 0 ? "…" : zone && ":zone"}`) {
      case "GET zones/":
        return this.#page([...this.zones.values()], url);
      case "POST zones/":
        return this.#createZone(body as Pick<Zone, "name" | "contact">);
      case "GET zones/:zone":
        return this.#readZone(zone);
      case "PUT zones/:zone":
        return this.#put(this.zones, zone, { ...this.zones.get(zone), ...body } as Zone, match);
      case "DELETE zones/:zone":
        return this.#removeZone(zone);
      case "GET records/:zone":
        return this.#page(
          [...this.records.values()].filter((one) => one.zone === zone),
          url,
        );
      case "PUT records/…":
        return this.#put(this.records, [zone, ...rest].join("/"), { zone, name: rest[0]!, type: rest[1]!, ...body } as RecordSet, match);
      case "GET records/…":
        return found(this.records.get([zone, ...rest].join("/")));
      case "DELETE records/…":
        return { status: this.records.delete([zone, ...rest].join("/")) ? 204 : 404 };
      case "POST keys/":
        return this.#createKey(body as Pick<Key, "zone" | "label">);
      case "GET keys/:zone":
        return found(this.keys.get(zone));
      case "DELETE keys/:zone":
        return { status: this.keys.delete(zone) ? 204 : 404 };
      default:
        return notFound;
    }
  }

  #page(all: readonly unknown[], url: URL): Reply {
    const start = Number(url.searchParams.get("cursor") ?? 0);
    const end = start + this.#options.pageSize;
    return { status: 200, body: { items: all.slice(start, end), next: end < all.length ? String(end) : null } };
  }

  #createZone({ name, contact }: Pick<Zone, "name" | "contact">): Reply {
    if (this.zones.has(name)) return { status: 409, body: { error: `zone ${name} already exists` } };
    const zone: Zone = { name, contact, status: "provisioning", nameservers: [] };
    this.zones.set(name, zone);
    this.#readsLeft.set(name, this.#options.readsUntilReady);
    return { status: 202, body: zone };
  }

  /** Counts a read of the zone and advances its status. */
  #readZone(name: string): Reply {
    const zone = this.zones.get(name);
    if (zone === undefined) return notFound;
    const left = (this.#readsLeft.get(name) ?? 0) - 1;
    this.#readsLeft.set(name, left);
    if (left > 0) return found(zone);
    if (zone.status === "deleting") this.zones.delete(name);
    if (zone.status === "provisioning") this.zones.set(name, { ...zone, status: "active", nameservers: [`a.ns.${name}`, `b.ns.${name}`] });
    return found(this.zones.get(name));
  }

  #removeZone(name: string): Reply {
    const zone = this.zones.get(name);
    if (zone === undefined) return notFound;
    if ([...this.records.values()].some((one) => one.zone === name)) return { status: 409, body: { error: `${name} has records` } };
    this.zones.set(name, { ...zone, status: "deleting" });
    this.#readsLeft.set(name, this.#options.readsUntilReady);
    return { status: 202 };
  }

  #put<T>(objects: Map<string, T>, id: string, object: T, match: string | undefined): Reply {
    const before = objects.get(id);
    if (before !== undefined && match !== undefined && match !== versionOf(before)) {
      return { status: 412, body: { error: "the object was changed since this version" } };
    }
    objects.set(id, object);
    return found(object);
  }

  #createKey({ zone, label }: Pick<Key, "zone" | "label">): Reply {
    const key: Key = { id: randomUUID(), zone, label };
    this.keys.set(key.id, key);
    return { status: 201, body: { ...key, secret: randomBytes(16).toString("hex") } };
  }
}

function found(object: unknown): Reply {
  return object === undefined ? notFound : { status: 200, body: object, headers: { etag: versionOf(object) } };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
