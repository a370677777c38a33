// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bridgePackage, type PackageMapping, type ResourceMapping } from "@tenon/bridge/pulumi";
import type { Value } from "@tenon/cty";
import { createProvider } from "@tenon/provider-sdk";
import type { Random } from "@tenon/testing/generate";
import { declarationVariable, type ProviderDeclaration, type SchemaDeclaration } from "../provider/declaration.ts";
import { makeConfig } from "../provider/generate/configuration.ts";
import { madeProvider } from "../provider/made-provider.ts";
import { propertiesOf } from "./life-values.ts";
import { PluginProcess } from "./plugin-process.ts";
import { recordingProvider, type RecordedRequest } from "./recording-provider.ts";

/**
 * A declared provider in a configured plugin, and beside it the same provider without a plugin. Both record the requests that they receive.
 */
export class MadePlugin implements AsyncDisposable {
  readonly plugin: PluginProcess;
  readonly mapping: PackageMapping;
  /** Configuration of the provider. */
  readonly settings: Value;
  readonly #declared: ProviderDeclaration;
  readonly #cleanUp: AsyncDisposableStack;
  readonly #ours: RecordedRequest[] = [];
  readonly #theirs: RecordedRequest[] = [];

  private constructor(
    declared: ProviderDeclaration,
    { plugin, mapping, settings }: Pick<MadePlugin, "plugin" | "mapping" | "settings">,
    cleanUp: AsyncDisposableStack,
  ) {
    this.#declared = declared;
    this.plugin = plugin;
    this.mapping = mapping;
    this.settings = settings;
    this.#cleanUp = cleanUp;
    plugin.process.on("message", (request) => this.#ours.push(request as RecordedRequest));
  }

  /** Starts the plugin, and configures it with random settings. */
  static async start(declared: ProviderDeclaration, random: Random): Promise<MadePlugin> {
    await using cleanUp = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "pulumi-life-"));
    cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "declaration.json");
    writeFileSync(file, JSON.stringify(declared));
    const { mapping } = await bridgePackage(createProvider(madeProvider(declared)), { name: "made", version: "1.0.0" });
    const settings = makeConfig(random, declared.config, { unknowns: false, faults: false });
    const plugin = cleanUp.use(await PluginProcess.start(join(import.meta.dirname, "life-plugin.ts"), { [declarationVariable]: file }));
    await plugin.configure("made", propertiesOf(mapping.config.object, settings));
    return new MadePlugin(declared, { plugin, mapping, settings }, cleanUp.move());
  }

  /** Opens the provider without the plugin. */
  open(): ReturnType<typeof recordingProvider> {
    return recordingProvider(createProvider(madeProvider(this.#declared)), (request) => this.#theirs.push(request));
  }

  /** The declared schema of a resource. */
  schemaOf({ typeName }: ResourceMapping): SchemaDeclaration {
    return this.#declared.resources.find(({ name }) => `made_${name}` === typeName)!;
  }

  /** The requests that the provider without the plugin has received since the last call. */
  takeTheirs(): readonly RecordedRequest[] {
    return this.#theirs.splice(0);
  }

  /**
   * The requests that the provider in the plugin has received since the last call. Messages of the plugin arrive in order: those that it sent
   * before the response to a call have arrived one turn of the event loop after that response.
   */
  async takeOurs(): Promise<readonly RecordedRequest[]> {
    await this.plugin.calls.getPluginInfo({});
    await new Promise((resolve) => setImmediate(resolve));
    return this.#ours.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanUp.disposeAsync();
  }
}
