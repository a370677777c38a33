// SPDX-License-Identifier: Apache-2.0
// Stores that the engine shares with tofu: each reads the states of the other, and respects its locks.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { openWorkspace } from "@tenon/engine";
import { StateDraft, StateManager } from "@tenon/engine/state";
import { defaultWorkspace, httpState, localState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { createCertificate } from "@tenon/protocol/certificate";
import { test } from "vitest";
import { shareWithTofu, TofuFolder, useBackendBlock } from "./tofu-folder.ts";

describePeer(["tofu"], "stores shared with tofu", ({ tofu }) => {
  test("the local store shares states and locks with tofu", { timeout: 120_000 }, async ({ expect }) => {
    using folder = new TofuFolder(tofu.path, "");
    const path = join(folder.path, "terraform.tfstate");
    await shareWithTofu(folder, localState({ path }), expect);
    const written = readFileSync(path, "utf8");
    const store = localState({ path });
    const manager = await StateManager.open(store.workspace(defaultWorkspace), store.layout);
    expect(await manager.save(new StateDraft(manager.file.state).snapshot())).toBe(false);
    expect(readFileSync(path, "utf8")).toBe(written);
  });

  test("the HTTP store shares states and locks with tofu", { timeout: 120_000 }, async ({ expect }) => {
    let content: Buffer | undefined;
    let lock: string | undefined;
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await buffer(request);
      const isFree = request.method !== "LOCK" || lock === undefined;
      if (request.method === "POST") content = body;
      else if (request.method === "UNLOCK") lock = undefined;
      else if (request.method === "LOCK") lock ??= body.toString();
      const status = request.method === "GET" ? (content === undefined ? 404 : 200) : isFree ? 200 : 423;
      response.writeHead(status).end(request.method === "GET" ? content : isFree ? "" : lock);
    };
    const server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`;
    try {
      using folder = new TofuFolder(
        tofu.path,
        `terraform {\n  backend "http" {\n    address = "${url}"\n    lock_address = "${url}"\n    unlock_address = "${url}"\n  }\n}\n`,
      );
      await shareWithTofu(folder, httpState({ address: url, lockAddress: url }), expect);
      expect((await folder.run("apply", "-auto-approve")).code).toBe(0);
      await useBackendBlock(folder, `backend = "http"\nconfig = {\n  address = "${url}"\n}`, expect);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test.for([
    ["the server's certificate", "client_ca_certificate_pem"],
    ["no verification of the server", "skip_cert_verification"],
  ] as const)(
    "the http backend shares states over mutual TLS with %s, a password and methods of the block",
    { timeout: 120_000 },
    async ([, trust], { expect }) => {
      const [ofServer, ofClient] = [createCertificate(), createCertificate()];
      let content: Buffer | undefined;
      let lock: string | undefined;
      const requests = new Set<string>();
      const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        const body = await buffer(request);
        const { method, url, headers } = request;
        const isTrusted = (request.socket as TLSSocket).authorized;
        const isKnown = headers.authorization === `Basic ${Buffer.from("u:p").toString("base64")}` && headers["x-team"] === "blue";
        requests.add(`${method} ${url?.replace(/[0-9a-f-]{36}/, "…")}`);
        const end = (status: number, text: string | Buffer = ""): void => void response.writeHead(status).end(text);
        if (!isTrusted || !isKnown) return end(401);
        if (body.length > 0 && headers["content-md5"] !== createHash("md5").update(body).digest("base64")) return end(400);
        if (url === "/lock") {
          if (lock !== undefined) return end(409, lock);
          lock = body.toString();
          return end(200);
        }
        if (url === "/unlock") {
          lock = undefined;
          return end(200);
        }
        if (method === "GET") return content === undefined ? end(404) : end(200, content);
        content = body;
        return end(204);
      };
      const server = createTlsServer(
        {
          cert: ofServer.certificatePem,
          key: ofServer.privateKeyPem,
          ca: ofClient.certificatePem,
          requestCert: true,
          rejectUnauthorized: false,
        },
        (request, response) => void answer(request, response),
      );
      await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
      const url = `https://localhost:${(server.address() as AddressInfo).port}`;
      const settings = `
    address = "${url}/state"
    update_method = "PUT"
    lock_address = "${url}/lock"
    lock_method = "POST"
    unlock_address = "${url}/unlock"
    unlock_method = "DELETE"
    username = "u"
    password = "p"
    headers = { "X-Team" = "blue" }
    client_certificate_pem = ${JSON.stringify(ofClient.certificatePem)}
    client_private_key_pem = ${JSON.stringify(ofClient.privateKeyPem)}
    ${trust} = ${trust === "skip_cert_verification" ? "true" : JSON.stringify(ofServer.certificatePem)}
`;
      try {
        using folder = new TofuFolder(tofu.path, `terraform {\n  backend "http" {${settings}  }\n}\n`);
        const initialised = await folder.run("init");
        expect(initialised.code, initialised.output).toBe(0);
        expect((await folder.run("apply", "-auto-approve")).code).toBe(0);
        await useBackendBlock(folder, `backend = "http"\nconfig = {${settings}}`, expect);
        expect([...requests].sort()).toEqual(["DELETE /unlock", "GET /state", "POST /lock", "PUT /state?ID=…"]);
        await expect(openWorkspace({ configuration: folder.path, providers: {}, workspace: "blue" }).plan()).rejects.toMatchObject({
          code: "WORKSPACE_NOT_FOUND",
        });
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  );
});
