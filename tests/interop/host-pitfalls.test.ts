// SPDX-License-Identifier: Apache-2.0
// Pitfalls that need a Go provider: connections of other programs, and null arguments of functions.
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, openProvider } from "@tenon/plugin-host";
import { createCertificate } from "@tenon/protocol/certificate";
import { test, vi } from "vitest";

describePeer(["framework-provider"], "a Go provider launched by our host", ({ "framework-provider": peer }) => {
  test("rejects connections of other programs (pitfall 6)", async ({ expect, onTestFinished }) => {
    const temporary = mkdtempSync(join(tmpdir(), "p-"));
    onTestFinished(() => rmSync(temporary, { recursive: true }));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    await using provider = await launchProvider({ command: peer.path });
    const [folder = ""] = readdirSync(temporary);
    const [socket = ""] = readdirSync(join(temporary, folder));
    expect(statSync(join(temporary, folder)).mode & 0o077).toBe(0);

    const other = createCertificate();
    for (const own of [{}, { cert: other.certificatePem, key: other.privateKeyPem }]) {
      const connection = connect({
        path: join(temporary, folder, socket),
        servername: "localhost",
        ALPNProtocols: ["h2"],
        rejectUnauthorized: false,
        ...own,
      });
      const result = once(connection, "data").then(
        () => "accepted",
        (error: NodeJS.ErrnoException) => error.code,
      );
      expect(await result).toMatch(/^ERR_SSL_.*ALERT/);
      connection.destroy();
    }
    expect((await provider.getProviderSchema({})).resources.size).toBe(2);
  });

  test("can read a null argument of a function (pitfall 34)", async ({ expect, onTestFinished }) => {
    const directory = mkdtempSync(join(tmpdir(), "p-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    await using client = await openProvider(peer.path, { config: { directory } });
    expect(await client.function("describe", { name: "box", size: 3 }, null)).toBe("box of size 3");
    expect(await client.function("describe", { name: "box", size: 3 }, "red")).toBe("box of size 3 (red)");
    await expect(client.function("join", null, "a")).rejects.toMatchObject({ code: "DIAGNOSTICS" });
  });
});
