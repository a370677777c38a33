// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { get } from "@tenon/cty";
import { ProviderError, type ReadResourceRequest } from "@tenon/schema";
import { describe, test } from "vitest";
import { safeValue, smallProvider } from "../../test/fixtures/small-provider.ts";
import { launchProvider } from "../launch/launch-provider.ts";
import type { LaunchedProvider } from "../launch/launched-provider.ts";
import type { LogRecord } from "../output/log-record.ts";
import { openProvider } from "../client/open-provider.ts";
import { maskErrors } from "./masked-errors.ts";
import { SessionSecrets } from "./session-secrets.ts";

const command = [process.execPath, join(import.meta.dirname, "../../test/fixtures/terraform-provider-careless.ts")] as const;
const clientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

function launch(): Promise<LaunchedProvider> {
  return launchProvider({ command, autoMtls: false });
}

function requestWithSecret(): ReadResourceRequest {
  const currentState = safeValue({ secret: 'hunter2 "of" the reader' });
  return { typeName: "safe", currentState, private: new Uint8Array(), clientCapabilities };
}

/** Returns all texts of an error, also with base64 decoded. */
function textsOf(error: unknown): string {
  const { message, stack, cause } = error as Error;
  const { process: report } = (cause ?? {}) as { readonly process?: object };
  const all = [message, stack, (cause as Error | undefined)?.message, JSON.stringify(report)].join("\n");
  const decoded = [...all.matchAll(/[A-Za-z0-9+/]{12,}={0,2}/g)].map(([base64]) => Buffer.from(base64, "base64").toString());
  return [all, ...decoded].join("\n");
}

describe("the secrets of a call in flight", () => {
  test.for([true, false])("are masked in the error of a crash, with a known schema: %s", async (isKnown, { expect }) => {
    await using provider = await launch();
    if (isKnown) expect((await provider.getProviderSchema({})).resources.get("safe")?.block.attributes).toHaveProperty("secret");
    const error: unknown = await provider.readResource(requestWithSecret()).catch((error: unknown) => error);
    expect(error).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("panic: (sensitive value) in"),
      cause: { code: "PROVIDER_CRASHED", process: { panic: expect.stringContaining("panic: (sensitive value) in") } },
    });
    expect(textsOf(error)).not.toContain("unter2");
  });

  test("are masked in an error that the provider returns", async ({ expect }) => {
    const failing = smallProvider({
      readResource: async ({ currentState }) => {
        const text = `cannot read with ${String(get(currentState, "secret").payload)}`;
        throw new ProviderError("INTERNAL", text, { cause: new Error(text) });
      },
    });
    const reading = maskErrors(failing, new SessionSecrets()).readResource(requestWithSecret());
    const error: unknown = await reading.catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "INTERNAL", message: "cannot read with (sensitive value)" });
    expect(textsOf(error)).not.toContain("unter2");
  });

  test("are masked in the log, also those of a call that has not ended", async ({ expect }) => {
    const records: LogRecord[] = [];
    await using client = await openProvider(
      { command, autoMtls: false },
      { logLevel: "info", onLog: (record) => void records.push(record) },
    );
    const { provider } = client;
    await provider.openEphemeralResource({ typeName: "safe", config: safeValue({}), clientCapabilities });
    await expect.poll(() => records.map(({ message }) => message)).toContain("made (sensitive value)");
  });
});
