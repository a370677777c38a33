// SPDX-License-Identifier: Apache-2.0
// Records the plans and applies of a provider that change something, and its upgrades of older states, and serves it to tofu, which attaches to it.
import { createServer, type Server } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goString, isWhollyKnown, same, type Value } from "@tenon/cty";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import { brokerService, controllerService, healthService, stdioService } from "@tenon/protocol/plugin-services";
import { formatReattachProviders, reattachVariable } from "@tenon/protocol/reattach";
import type { Provider } from "@tenon/schema";
import { createProviderService } from "@tenon/schema/wire/v6";

/** Values of a plan or apply that changes something, as text. */
export interface RecordedChange {
  readonly call: "plan" | "apply";
  readonly config: string;
  readonly prior: string;
  readonly planned: string;
  /** The state after an apply. */
  readonly result?: string;
}

/** An upgrade of a state that an older version of the provider has stored. */
export interface RecordedUpgrade {
  readonly call: "upgrade";
  readonly version: number;
  /** The stored state, as JSON. */
  readonly stored: unknown;
  /** The upgraded state, as text. */
  readonly result: string;
}

/** Changes of one provider, in order. A change that occurs again is recorded once: tofu plans a change again before it applies it. */
export class ChangeRecord {
  readonly #changes = new Map<string, RecordedChange | RecordedUpgrade>();

  /** Returns the changes since the last call. */
  take(): readonly (RecordedChange | RecordedUpgrade)[] {
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    return changes;
  }

  /** Number of applies since the last call of {@link take}. */
  get applies(): number {
    return [...this.#changes.values()].filter(({ call }) => call === "apply").length;
  }

  add(call: RecordedChange["call"], config: Value, prior: Value, planned: Value, result?: Value): void {
    // Tofu also plans what refers to resources that do not exist yet. A custom resource waits for them.
    if (same(prior, planned) || !isWhollyKnown(config)) return;
    const change = {
      call,
      config: textOf(config),
      prior: textOf(prior),
      planned: textOf(planned),
      ...(result ? { result: textOf(result) } : {}),
    };
    this.#changes.set(JSON.stringify(change), change);
  }

  addUpgrade(version: number, stored: Uint8Array, result: Value): void {
    // Parsed: the order of the members does not matter.
    const upgrade = {
      call: "upgrade",
      version,
      stored: JSON.parse(Buffer.from(stored).toString()) as unknown,
      result: textOf(result),
    } as const;
    this.#changes.set(`upgrade ${version} ${upgrade.result}`, upgrade);
  }
}

/** A value as text. The protocol sends an object that does not exist without its type. */
function textOf(value: Value): string {
  return value.payload === null ? "null" : goString(value);
}

/** Returns a provider whose changes are recorded. */
export function recordedChanges(provider: Provider, record: ChangeRecord): Provider {
  const calls: Pick<Provider, "upgradeResourceState" | "planResourceChange" | "applyResourceChange"> = {
    async upgradeResourceState(request, options) {
      const response = await provider.upgradeResourceState(request, options);
      const { resources } = await provider.getProviderSchema({});
      const isOlder = request.version < resources.get(request.typeName)!.version;
      if (isOlder && response.upgradedState) record.addUpgrade(request.version, request.rawState.json!, response.upgradedState);
      return response;
    },
    async planResourceChange(request, options) {
      const response = await provider.planResourceChange(request, options);
      record.add("plan", request.config, request.priorState, response.plannedState);
      return response;
    },
    async applyResourceChange(request, options) {
      const response = await provider.applyResourceChange(request, options);
      record.add("apply", request.config, request.priorState, request.plannedState, response.newState);
      return response;
    },
  };
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(calls, name) ?? Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
}

/** A provider that tofu attaches to. */
export class ServedForTofu implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "tenon-served-"));
  readonly #server: ReturnType<typeof createCarrierServer>;
  readonly #listener: Server;
  readonly #open: () => Promise<Provider>;
  #instance: Provider;

  private constructor(open: () => Promise<Provider>, instance: Provider) {
    const stdio = stdioService();
    this.#open = open;
    this.#instance = instance;
    this.#server = createCarrierServer({
      services: [
        createProviderService(() => this.#instance),
        brokerService(),
        healthService(),
        stdio.registration,
        controllerService(() => {}),
      ],
      onConnectionError: () => {},
    });
    this.#listener = createServer((socket) => this.#server.accept(socket));
  }

  /** Serves instances that `open` returns. */
  static async start(open: () => Promise<Provider>): Promise<ServedForTofu> {
    const served = new ServedForTofu(open, await open());
    await new Promise<void>((resolve) => served.#listener.listen(served.#path, resolve));
    return served;
  }

  /** Serves another instance: each command of tofu configures one. */
  async renew(): Promise<void> {
    await this.#instance.close();
    this.#instance = await this.#open();
  }

  /** Environment of commands that use the provider at this source address. */
  environment(address: string): Readonly<Record<string, string>> {
    const instructions = { protocolVersion: 6, pid: process.pid, test: true, address: { network: "unix", path: this.#path } } as const;
    return { [reattachVariable]: formatReattachProviders(new Map([[address, instructions]])) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#server.close();
    await this.#instance.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #path(): string {
    return join(this.#folder, "provider");
  }
}
