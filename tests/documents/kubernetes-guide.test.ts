// SPDX-License-Identifier: Apache-2.0
// Follows the guide from an API server to an applied custom resource, step by step.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { dirname } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { follow } from "./getting-started.ts";
import { readDocument, snippetsOf } from "./snippets.ts";

const page = readDocument("packages/bridge/docs/kubernetes-getting-started.md");

test("the guide to custom resources has the program of the example", ({ expect }) => {
  const example = readDocument("apps/examples/operator/operator.ts");
  const withoutHead = (text: string): string => text.slice(text.indexOf("import "));
  expect(withoutHead(snippetsOf(page).find(({ file }) => file === "operator.ts")!.text)).toBe(withoutHead(example));
});

describePeer(["kube-apiserver", "etcd", "kubectl"], "the guide to custom resources", (peers) => {
  test("shows the output of its commands", { timeout: 300_000 }, async ({ expect }) => {
    const [etcd, etcdPeer, api, health] = await freePorts(4);
    const ports: Readonly<Record<string, number>> = { 2379: etcd!, 6443: api!, 8081: health! };
    const ownPorts = (text: string): string => {
      const renumbered = text.replaceAll(/\b(?:2379|6443|8081)\b/g, (port) => String(ports[port]));
      return renumbered.replace("etcd --data-dir etcd", `$& --listen-peer-urls http://127.0.0.1:${etcdPeer}`);
    };
    const snippets = snippetsOf(page).map((snippet) => ({ ...snippet, text: ownPorts(snippet.text) }));
    const outputs = await follow(snippets, [dirname(peers.etcd.path), dirname(peers.kubectl.path)]);
    const plain = (text: string): string => text.replaceAll(/\s+/g, " ");
    for (const { commands, output, expectedOutput } of outputs) {
      for (const line of expectedOutput) expect(plain(output), `${commands} prints ${line}`).toContain(plain(line).trim());
    }
    expect(outputs.filter(({ expectedOutput }) => expectedOutput.length > 0).length).toBeGreaterThanOrEqual(4);
  });
});

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => void server.close(resolve))));
  return ports;
}
