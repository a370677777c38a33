// SPDX-License-Identifier: Apache-2.0
// A provider on provider-sdk under go-plugin, the library with which Terraform and OpenTofu launch providers.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

interface Observation {
  readonly protocolVersion: number;
  readonly network: string;
  readonly tls: boolean;
  readonly resources: number;
  readonly diagnostics: number;
  readonly shutdown: { readonly exitCode: number; readonly killed: boolean };
}

describePeer(["plugin-client"], "a provider under go-plugin", (peers) => {
  let provider: PackagedProvider;
  beforeAll(() => {
    provider = packageExample("apps/examples/textfile/main.ts", "--name", "textfile", "--version", "1.0.0");
  });
  afterAll(() => provider[Symbol.dispose]());

  test.for([true, false])("handshakes, returns its schema and ends gracefully with AutoMTLS %s (pitfall 8)", (tls, { expect }) => {
    const launcher = join(provider.folder, "dev", "terraform-provider-textfile");
    const args = [`-auto-mtls=${tls}`, "-shutdown", "-calls", "20", launcher];
    const seen = JSON.parse(
      execFileSync(peers["plugin-client"].path, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    ) as Observation;
    expect(seen).toMatchObject({ protocolVersion: 6, tls, resources: 1, diagnostics: 0, shutdown: { exitCode: 0, killed: false } });
  });
});
