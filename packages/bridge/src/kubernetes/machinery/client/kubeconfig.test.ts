// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "vitest";
import { TokenFile } from "./credentials.ts";
import { findClusterAccess } from "./find-cluster-access.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "tenon-kubeconfig-"))));
afterEach(() => rmSync(folder, { recursive: true }));

interface Sections {
  readonly cluster?: object;
  readonly user?: object;
  readonly namespace?: string;
}

/** Writes a kubeconfig file with one context, and returns its path. JSON is YAML. */
function kubeconfig({ cluster = {}, user = {}, namespace }: Sections, name = "config"): string {
  const path = join(folder, name);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: "https://one.example:6443", ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", ...(namespace ? { namespace } : {}) } }],
    "current-context": "x",
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** Writes an executable that prints a text, and returns its path. */
function executable(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe("a kubeconfig file", () => {
  test("provides server, authorities, namespace and client certificate, from data and from relative paths", async ({ expect }) => {
    writeFileSync(join(folder, "key.pem"), "KEY");
    const user = { "client-certificate-data": Buffer.from("CERT").toString("base64"), "client-key": "key.pem" };
    const cluster = { "certificate-authority-data": Buffer.from("CA").toString("base64"), "tls-server-name": "api.internal" };
    const access = await findClusterAccess({ kubeconfig: kubeconfig({ cluster, user, namespace: "team" }) });
    expect(access).toMatchObject({ certificateAuthorities: "CA", serverName: "api.internal", namespace: "team" });
    expect(access.server.href).toBe("https://one.example:6443/");
    expect(await access.credentials.current()).toEqual({ certificate: { cert: "CERT", key: "KEY" } });
  });

  test("may be YAML", async ({ expect }) => {
    const path = join(folder, "config.yaml");
    writeFileSync(
      path,
      "clusters:\n- name: c\n  cluster: {server: 'https://h:1'}\ncontexts:\n- name: x\n  context: {cluster: c, user: u}\nusers:\n- name: u\n  user:\n    token: abc\ncurrent-context: x\n",
    );
    const access = await findClusterAccess({ environment: { KUBECONFIG: path } });
    expect(access.namespace).toBe("default");
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer abc" });
  });

  test("has precedence over later ones in KUBECONFIG; absent files are ignored", async ({ expect }) => {
    const first = kubeconfig({ user: { token: "first" } }, "first");
    const second = kubeconfig({ cluster: { server: "https://two.example" }, user: { token: "second" } }, "second");
    const environment = { KUBECONFIG: [join(folder, "absent"), first, second].join(delimiter) };
    const access = await findClusterAccess({ environment });
    expect(access.server.host).toBe("one.example:6443");
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer first" });
  });

  test.for([
    ["an unknown context", {}, "other", 'there is no context "other"'],
    ["a certificate without a key", { user: { "client-certificate-data": "eA==" } }, undefined, "both client-certificate and client-key"],
    ["a removed auth-provider", { user: { "auth-provider": { name: "gcp" } } }, undefined, "use an exec plugin"],
    [
      "an exec section without a command",
      { user: { exec: { apiVersion: "client.authentication.k8s.io/v1" } } },
      undefined,
      "has no command",
    ],
    ["an exec section of an old version", { user: { exec: { command: "x", apiVersion: "v1alpha1" } } }, undefined, "supported are"],
    ["an invalid server", { cluster: { server: "ftp://x" } }, undefined, "is not an http: or https: address"],
  ] as const)("with %s is rejected", async ([, sections, context, message], { expect }) => {
    await expect(findClusterAccess({ kubeconfig: kubeconfig(sections), context })).rejects.toMatchObject({
      code: "INVALID_KUBECONFIG",
      message: expect.stringContaining(message) as string,
    });
  });

  test("with invalid YAML is rejected without a quotation of its text", async ({ expect }) => {
    const path = join(folder, "config");
    writeFileSync(path, "users:\n- token: hunter2\n  - x: [\n");
    const refused = findClusterAccess({ kubeconfig: path });
    await expect(refused).rejects.toMatchObject({ code: "INVALID_KUBECONFIG" });
    await expect(refused).rejects.not.toThrow(/hunter2/);
  });
});

describe("the ServiceAccount of a pod", () => {
  const environment = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };

  test("is used without a kubeconfig file", async ({ expect }) => {
    const serviceAccountFolder = join(folder, "account");
    mkdirSync(serviceAccountFolder);
    for (const [name, text] of Object.entries({ token: "t0k3n\n", "ca.crt": "CA", namespace: "operators\n" })) {
      writeFileSync(join(serviceAccountFolder, name), text);
    }
    const access = await findClusterAccess({ environment, serviceAccountFolder });
    expect(access.server.href).toBe("https://[fd00::1]/");
    expect(access).toMatchObject({ certificateAuthorities: "CA", namespace: "operators" });
    expect(await access.credentials.current()).toEqual({ authorization: "Bearer t0k3n" });
  });

  test("is required if there is no kubeconfig file", async ({ expect }) => {
    const found = findClusterAccess({ environment: { HOME: folder }, serviceAccountFolder: folder });
    await expect(found).rejects.toMatchObject({ code: "INVALID_KUBECONFIG" });
  });
});

describe("a token file", () => {
  test("is read again after a minute, and after the server rejected the token", async ({ expect }) => {
    const path = join(folder, "token");
    let now = 0;
    const file = new TokenFile(path, undefined, () => now);
    const token = async (): Promise<string | undefined> => (await file.current()).authorization;
    writeFileSync(path, "one");
    expect(await token()).toBe("Bearer one");
    writeFileSync(path, "two");
    expect(await token()).toBe("Bearer one");
    now = 60_000;
    expect(await token()).toBe("Bearer two");
    writeFileSync(path, "three");
    file.invalidate();
    expect(await token()).toBe("Bearer three");
    rmSync(path);
    file.invalidate();
    await expect(token()).rejects.toMatchObject({ code: "CREDENTIALS_FAILED" });
  });
});

describe("an exec plugin", () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", provideClusterInfo: true, env: [{ name: "WHO", value: "me" }] };
  const answer = (status: string): string => `{"kind":"ExecCredential","apiVersion":"${exec.apiVersion}","status":${status}}`;

  test("gets the cluster and its variables, and runs again only after its credential has expired", async ({ expect }) => {
    const record = join(folder, "calls");
    executable("plugin", `echo "$WHO $1 $KUBERNETES_EXEC_INFO" >> ${record}\necho '${answer('{"token":"fresh"}')}'`);
    const user = { exec: { ...exec, command: "./plugin", args: ["get-token"] } };
    const { credentials } = await findClusterAccess({ kubeconfig: kubeconfig({ user }), environment: process.env });
    const found = await Promise.all([credentials.current(), credentials.current()]);
    expect(found).toEqual([{ authorization: "Bearer fresh" }, { authorization: "Bearer fresh" }]);
    await credentials.current();
    const lines = readFileSync(record, "utf8").trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^me get-token \{/);
    expect(JSON.parse(lines[0]!.slice("me get-token ".length))).toMatchObject({
      spec: { interactive: false, cluster: { server: "https://one.example:6443" } },
    });
    credentials.invalidate();
    await credentials.current();
    expect(readFileSync(record, "utf8").trim().split("\n")).toHaveLength(2);
  });

  test("that prints an expired certificate runs again each time", async ({ expect }) => {
    const status = '{"clientCertificateData":"C","clientKeyData":"K","expirationTimestamp":"2020-01-01T00:00:00Z"}';
    const record = join(folder, "calls");
    const command = executable("plugin", `echo x >> ${record}\necho '${answer(status)}'`);
    const { credentials } = await findClusterAccess({
      kubeconfig: kubeconfig({ user: { exec: { ...exec, command } } }),
      environment: process.env,
    });
    expect(await credentials.current()).toEqual({ certificate: { cert: "C", key: "K" } });
    await credentials.current();
    expect(readFileSync(record, "utf8")).toBe("x\nx\n");
  });

  test.for([
    ["fails", "echo secret-token >&2; exit 3", "failed (3)"],
    ["prints no JSON", "echo secret-token", "text that is not JSON"],
    ["prints no credential", `echo '${answer("{}")}'`, "neither a token nor a client certificate"],
    ["prints another kind", `echo '{"kind":"Status","token":"secret-token"}'`, "no ExecCredential"],
  ] as const)("that %s is reported without its output", async ([, script, message], { expect }) => {
    const command = executable("plugin", script);
    const { credentials } = await findClusterAccess({
      kubeconfig: kubeconfig({ user: { exec: { ...exec, command } } }),
      environment: process.env,
    });
    const failed = credentials.current();
    await expect(failed).rejects.toMatchObject({ code: "CREDENTIALS_FAILED", message: expect.stringContaining(message) as string });
    await expect(failed).rejects.not.toThrow(/secret-token/);
  });

  test("that is not installed is reported with its install hint", async ({ expect }) => {
    const user = { exec: { ...exec, command: "tenon-absent-plugin", installHint: "install it" } };
    const { credentials } = await findClusterAccess({ kubeconfig: kubeconfig({ user }), environment: process.env });
    await expect(credentials.current()).rejects.toThrow("was not found: install it");
  });
});
