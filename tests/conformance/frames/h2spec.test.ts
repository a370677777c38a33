// SPDX-License-Identifier: Apache-2.0
// Runs the cases of h2spec, including the strict ones, against the server of Tenon's carrier, and against Go's net/http for comparison.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import { test } from "vitest";

/** Result of a run of h2spec. */
interface Outcome {
  readonly passed: number;
  /** Section and title of each failed case. */
  readonly missed: readonly string[];
}

async function runH2spec(command: string, port: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "h2spec-"));
  const report = join(folder, "report.xml");
  try {
    // The exit status is not 0 when a case fails.
    await promisify(execFile)(command, ["--strict", "--timeout", "5", "--port", `${port}`, "--junit-report", report]).catch(() => {});
    const cases = readFileSync(report, "utf8").matchAll(/<testcase package="([^"]*)" classname="([^"]*)" [^>]*>([^]*?)<\/testcase>/g);
    const all = [...cases].map(([, section, title, result]) => ({ name: `${section}: ${title}`, passed: result === "" }));
    return { passed: all.filter(({ passed }) => passed).length, missed: all.filter(({ passed }) => !passed).map(({ name }) => name) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runOnOwnServer(command: string): Promise<Outcome> {
  // The requests of h2spec are GET. The server answers them, as any request that is not gRPC, with an HTTP status and a text.
  const server = createCarrierServer({ services: [] });
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    server.accept(socket);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  try {
    return await runH2spec(command, (listener.address() as AddressInfo).port);
  } finally {
    await server.close();
    listener.close();
  }
}

async function runOnGoServer(command: string, server: string): Promise<Outcome> {
  const child = spawn(server, { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];
    return await runH2spec(command, Number(port));
  } finally {
    child.stdin.end();
    await once(child, "exit");
  }
}

describePeer(["h2spec", "http2-server"], "h2spec", ({ h2spec, "http2-server": goServer }) => {
  test("passes every case on Tenon's server, and at least as many as on Go's", async ({ expect }) => {
    const own = await runOnOwnServer(h2spec.path);
    expect(own).toEqual({ passed: 146, missed: [] });
    const go = await runOnGoServer(h2spec.path, goServer.path);
    expect(go.passed + go.missed.length).toBe(146);
    expect(own.passed).toBeGreaterThanOrEqual(go.passed);
  });
});
