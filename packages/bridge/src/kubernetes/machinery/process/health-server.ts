// SPDX-License-Identifier: Apache-2.0
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Metrics } from "./metrics.ts";

/** Options of {@link startHealthServer}. */
export interface HealthServerSettings {
  /** Port to listen on; 0 for any free port. */
  readonly port: number;
  /** Address to listen on. Default: all addresses. */
  readonly host?: string;
  /** Returns the reasons why the process should be restarted; empty while it is healthy. Default: none. */
  readonly failures?: () => readonly string[];
  /** Returns the reasons why the process is not ready; empty while it is ready. Default: none. */
  readonly unready?: () => readonly string[];
  readonly metrics?: Metrics;
}

/** A running health server. */
export interface HealthServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics` over HTTP, for the kubelet and Prometheus.
 *
 * @throws The error of Node.js if the server cannot listen.
 */
export async function startHealthServer(settings: HealthServerSettings): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const result = responseTo(settings, request.url ?? "/");
    const isRead = request.method === "GET" || request.method === "HEAD";
    const { status, type, text } = isRead ? result : { status: 405, type: "text/plain", text: "only GET is allowed\n" };
    response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: () => close(server) };
}

interface TextResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function responseTo({ failures, unready, metrics }: HealthServerSettings, url: string): TextResponse {
  switch (url.replace(/\?.*$/, "")) {
    case "/healthz":
    case "/livez":
      return healthResponse(failures?.() ?? []);
    case "/readyz":
      return healthResponse([...(failures?.() ?? []), ...(unready?.() ?? [])]);
    case "/metrics":
      if (metrics) return { status: 200, type: Metrics.contentType, text: metrics.text() };
  }
  return { status: 404, type: "text/plain", text: "not found\n" };
}

function healthResponse(reasons: readonly string[]): TextResponse {
  return { status: reasons.length === 0 ? 200 : 503, type: "text/plain", text: reasons.length === 0 ? "ok\n" : `${reasons.join("\n")}\n` };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
