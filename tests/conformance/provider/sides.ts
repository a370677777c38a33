// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requirePeer } from "@tenon/peers";
import { launchProvider, type LaunchedProvider } from "@tenon/plugin-host";
import { hasErrors, type GetProviderSchemaResponse, type GetResourceIdentitySchemasResponse } from "@tenon/schema";
import type { Random } from "@tenon/testing/generate";
import { declarationVariable, type ProviderDeclaration } from "./declaration.ts";
import { makeConfig } from "./generate/configuration.ts";

/** Both providers of one declaration, each in its own process, configured. */
export interface Sides extends AsyncDisposable {
  readonly declared: ProviderDeclaration;
  readonly theirs: LaunchedProvider;
  readonly ours: LaunchedProvider;
  /** Provider on the framework. */
  readonly schemas: GetProviderSchemaResponse;
  readonly identities: GetResourceIdentitySchemasResponse;
  /** Whether both processes are running. */
  readonly alive: () => boolean;
}

export async function openSides(declared: ProviderDeclaration, random: Random): Promise<Sides> {
  const folder = mkdtempSync(join(tmpdir(), "made-provider-"));
  const file = join(folder, "declaration.json");
  writeFileSync(file, JSON.stringify(declared));
  const env = { [declarationVariable]: file };
  const launched: LaunchedProvider[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(launched.map((one) => one.close()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const commands = [requirePeer("framework-from-json").path, [process.execPath, join(import.meta.dirname, "main.ts")] as const];
    // The framework needs long for plans of sets inside sets, on a busy machine more than half a minute.
    for (const command of commands) launched.push(await launchProvider({ command, env, callTimeoutMs: 120_000 }));
    const [theirs, ours] = launched as [LaunchedProvider, LaunchedProvider];
    const [schemas, own] = await Promise.all([theirs.getProviderSchema({}), ours.getProviderSchema({})]);
    for (const { diagnostics } of [schemas, own]) if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
    const config = makeConfig(random, declared.config, { unknowns: false, faults: false });
    for (const one of launched) {
      const { diagnostics } = await one.configureProvider({ terraformVersion: "1.12.6", config });
      if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
    }
    let crashed = false;
    for (const one of launched) void one.exited.then(() => (crashed = true));
    const identities = await theirs.getResourceIdentitySchemas({});
    return { declared, theirs, ours, schemas, identities, alive: () => !crashed, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
