// SPDX-License-Identifier: Apache-2.0
// The http backend with its own certificates, against a real server that requires a client certificate.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { buffer } from "node:stream/consumers";
import { get, nullOf, objectOf, of, string, type Value } from "@tenon/cty";
import { defaultWorkspace } from "@tenon/engine/state/stores";
import { backendTypes, type BackendEnvironment } from "@tenon/engine/unstable/built-in-provider";
import { createCertificate } from "@tenon/protocol/certificate";
import { attributeType } from "@tenon/schema";
import { describe, test } from "vitest";

const environment: BackendEnvironment = { variables: { TF_HTTP_RETRY_MAX: "0" }, workingDirectory: "/" };
const backend = backendTypes.get("http")!;

/** A prepared configuration with the given arguments. */
function prepared(given: Readonly<Record<string, Value>>): Value {
  const { attributes } = backend.schema(environment);
  const all = Object.entries(attributes).map(([name, attribute]) => [name, given[name] ?? nullOf(attributeType(attribute))] as const);
  return backend.prepare(objectOf(new Map(all)), environment).config;
}

describe("http backend", () => {
  test("reads and writes with a client certificate, and refuses servers that it does not trust", async ({ expect }) => {
    const [ofServer, ofClient] = [createCertificate(), createCertificate()];
    let content: Buffer | undefined;
    let clientIsTrusted = false;
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      clientIsTrusted = (request.socket as TLSSocket).authorized;
      const body = await buffer(request);
      if (request.method === "POST") content = body;
      response.writeHead(content === undefined ? 404 : 200).end(request.method === "GET" ? content : "");
    };
    const server = createServer(
      { cert: ofServer.certificatePem, key: ofServer.privateKeyPem, ca: ofClient.certificatePem, requestCert: true },
      (request, response) => void answer(request, response),
    );
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    try {
      const address = of(string, `https://localhost:${(server.address() as AddressInfo).port}/state`);
      const certificates = {
        client_ca_certificate_pem: of(string, ofServer.certificatePem),
        client_certificate_pem: of(string, ofClient.certificatePem),
        client_private_key_pem: of(string, ofClient.privateKeyPem),
      };
      const store = backend.open(prepared({ address, ...certificates }), environment).workspace(defaultWorkspace);
      expect(await store.read()).toBeUndefined();
      await store.write(Buffer.from("{}"), { expected: undefined });
      expect(Buffer.from((await store.read())!.content).toString()).toBe("{}");
      expect(clientIsTrusted).toBe(true);
      const distrustful = backend.open(prepared({ address }), environment).workspace(defaultWorkspace);
      await expect(distrustful.read()).rejects.toMatchObject({ code: "STORE_FAILED" });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("takes defaults from the environment", ({ expect }) => {
    const variables = { TF_HTTP_ADDRESS: "https://example.com/state", TF_HTTP_RETRY_WAIT_MAX: "5" };
    expect(backend.schema({ ...environment, variables }).attributes["address"]?.required).toBe(false);
    const config = prepared({ address: of(string, "https://example.com") });
    expect(get(config, "update_method")).toEqual(of(string, "POST"));
    expect(get(config, "retry_max").payload?.toString()).toBe("0");
  });
});
