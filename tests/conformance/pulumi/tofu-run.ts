// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Value } from "@tenon/cty";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import type { Provider } from "@tenon/schema";
import { createProviderService } from "@tenon/schema/wire/v6";
import { TofuProcesses, tofuEnvironment } from "../engine-differential/tofu-commands.ts";
import { TofuSide } from "../engine-differential/tofu-side.ts";
import type { Outcome } from "../engine-differential/outcome.ts";
import { treeOf, Unknown } from "./value-tree.ts";

/** Source address of the provider. */
const address = "registry.opentofu.org/tenon/made";

/** Configurations of resources by their type names. */
export type Configurations = ReadonlyMap<string, Value>;

/** OpenTofu with a provider of this process: each connection of tofu gets an instance of its own. */
export class TofuRun implements AsyncDisposable {
  readonly #folder: string;
  readonly #server: Server;
  readonly #tofu: TofuSide;
  readonly #settings: Value;

  private constructor(folder: string, server: Server, tofu: TofuSide, settings: Value) {
    this.#folder = folder;
    this.#server = server;
    this.#tofu = tofu;
    this.#settings = settings;
  }

  /** @param settings - configuration of the provider. */
  static async start(tofu: string, open: () => Provider, settings: Value): Promise<TofuRun> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-tofu-")));
    const server = createServer((socket) => createCarrierServer({ services: [createProviderService(open())] }).accept(socket));
    const socket = join(folder, "socket");
    server.listen(socket);
    await once(server, "listening");
    const running = { Protocol: "grpc", ProtocolVersion: 6, Pid: process.pid, Test: true, Addr: { Network: "unix", String: socket } };
    const cliConfiguration = join(folder, "cli.tfrc");
    writeFileSync(cliConfiguration, "");
    mkdirSync(join(folder, "root"));
    return new TofuRun(
      folder,
      server,
      new TofuSide(new TofuProcesses(tofu, tofuEnvironment([JSON.stringify({ [address]: running })], cliConfiguration))),
      settings,
    );
  }

  /** Plans the configurations, without a refresh, and applies the plan if asked to. */
  async run(configurations: Configurations, apply: boolean): Promise<Outcome> {
    const root = join(this.#folder, "root");
    const resources = [...configurations].map(([type, config]) => [type, { r: jsonOf(config) }]);
    const hasUnknown = JSON.stringify(resources).includes(unknownReference);
    const program = {
      terraform: { required_providers: { made: { source: "tenon/made" } } },
      provider: { made: jsonOf(this.#settings) },
      // The result of a resource that is only planned is unknown.
      resource: { ...Object.fromEntries(resources), ...(hasUnknown ? { terraform_data: { later: {} } } : {}) },
    };
    writeFileSync(join(root, "main.tf.json"), exactJson(program));
    return await this.#tofu.run(root, { refresh: false, apply, documents: { plan: true, state: false } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, "close").catch(() => {});
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Value of an unknown type. */
const unknownReference = "${jsondecode(terraform_data.later.id)}";

/** Number that a double cannot hold, in JSON data. */
interface ExactNumber {
  readonly exactNumber: string;
}

function jsonOf(value: Value): unknown {
  return withReferences(treeOf(value, (exactNumber): ExactNumber => ({ exactNumber })));
}

function withReferences(tree: unknown): unknown {
  if (tree === Unknown) return unknownReference;
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map(withReferences);
  return Object.fromEntries(Object.entries(tree).map(([name, part]) => [name, withReferences(part)]));
}

/** JSON text with the exact numbers of the data. */
function exactJson(data: unknown): string {
  const raw = JSON as unknown as { rawJSON(text: string): unknown };
  return JSON.stringify(data, (_, part: unknown) =>
    typeof part === "object" && part !== null && "exactNumber" in part ? raw.rawJSON((part as ExactNumber).exactNumber) : part,
  );
}
