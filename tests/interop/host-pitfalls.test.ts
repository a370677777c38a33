// SPDX-License-Identifier: Apache-2.0
// What goes wrong with plugins, and has to be looked at with a real provider in Go: who else may connect, and arguments that are null.
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, openProvider } from "@tenon/plugin-host";
import { createCertificate } from "@tenon/protocol/certificate";
import { test, vi } from "vitest";

describePeer(["framework-provider"], "a Go provider that our host runs", ({ "framework-provider": peer }) => {
  test("answers nobody but this host (pitfall 6)", async ({ expect, onTestFinished }) => {
    const temporary = mkdtempSync(join(tmpdir(), "p-"));
    onTestFinished(() => rmSync(temporary, { recursive: true }));
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    await using provider = await launchProvider({ command: peer.path });
    const [folder = ""] = readdirSync(temporary);
    const [socket = ""] = readdirSync(join(temporary, folder));
    expect(statSync(join(temporary, folder)).mode & 0o077).toBe(0);

    const stranger = createCertificate();
    for (const own of [{}, { cert: stranger.certificatePem, key: stranger.privateKeyPem }]) {
      const connection = connect({
        path: join(temporary, folder, socket),
        servername: "localhost",
        ALPNProtocols: ["h2"],
        rejectUnauthorized: false,
        ...own,
      });
      const refused = once(connection, "data").then(
        () => "answered",
        (error: NodeJS.ErrnoException) => error.code,
      );
      expect(await refused).toMatch(/^ERR_SSL_.*ALERT/);
      connection.destroy();
    }
    expect((await provider.getProviderSchema({})).resources.size).toBe(2);
  });

  test("is told null as null, which it can read (pitfall 34)", async ({ expect, onTestFinished }) => {
    const directory = mkdtempSync(join(tmpdir(), "p-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    await using client = await openProvider(peer.path, { config: { directory } });
    expect(await client.function("describe", { name: "box", size: 3 }, null)).toBe("box of size 3");
    expect(await client.function("describe", { name: "box", size: 3 }, "red")).toBe("box of size 3 (red)");
    await expect(client.function("join", null, "a")).rejects.toMatchObject({ code: "DIAGNOSTICS" });
  });
});
