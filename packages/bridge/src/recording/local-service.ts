// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CarrierClient, CarrierTap, ServiceRegistration } from "@tenon/protocol/carrier";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { createCarrierServer } from "@tenon/protocol/carrier/server";

/** Maximum size of a message, in bytes. */
const maxBytes = 256 * 1024 * 1024;

/** A connection to a service of this process. */
export interface LocalService {
  readonly connection: CarrierClient;
  close(): Promise<void>;
}

/** Serves a service on a socket that only this user can access, and connects to it, so that messages are encoded as for a remote peer. */
export async function connectLocally(service: ServiceRegistration, tap?: CarrierTap): Promise<LocalService> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-bridge-"));
  const path = process.platform === "win32" ? `\\\\.\\pipe\\tenon-bridge-${randomUUID()}` : join(folder, "socket");
  const carrier = createCarrierServer({ services: [service], readMaxBytes: maxBytes, writeMaxBytes: maxBytes });
  const listener = createServer((socket) => carrier.accept(socket));
  listener.listen(path);
  await once(listener, "listening");
  const connection = openCarrierClient({
    address: { network: "unix", path },
    readMaxBytes: maxBytes,
    writeMaxBytes: maxBytes,
    ...(tap ? { tap } : {}),
  });
  await connection.connected;
  // The connection stays open, but no other client can connect.
  listener.close();
  rmSync(folder, { recursive: true, force: true });
  return {
    connection,
    async close() {
      await connection.close();
      await carrier.close();
    },
  };
}
