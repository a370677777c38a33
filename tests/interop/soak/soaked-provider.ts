// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nullOf, of, type Value } from "@tenon/cty";
import { launchProvider } from "@tenon/plugin-host";
import { type Block, impliedType, type Provider } from "@tenon/schema";
import { proposedNew } from "@tenon/schema/change";
import { packageExample } from "../packaged-provider.ts";

/** Memory of the provider after all garbage is collected, in bytes. */
export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

/** A packaged provider for many calls, launched by our host. */
export interface SoakedProvider extends AsyncDisposable {
  readonly provider: Provider;
  /** Makes `times` calls, ten at a time, of every kind that a core makes; cancels every hundredth call while it is in flight. */
  call(times: number): Promise<void>;
  /** Measures the memory of the provider. */
  memory(): Promise<Memory>;
  /** Number of cancelled calls whose handlers are still running. */
  abandoned(): Promise<number>;
}

/** Packages, launches and configures the provider of soak tests. */
export async function soakProvider(): Promise<SoakedProvider> {
  const packaged = packageExample("tests/interop/fixtures/soak-main.ts", "--name", "soak", "--version", "1.0.0");
  const folder = mkdtempSync(join(tmpdir(), "tenon-soak-"));
  const memoryFile = join(folder, "memory.json");
  const provider = await launchProvider({
    command: join(packaged.folder, "dev", "terraform-provider-soak"),
    env: { TENON_MEMORY_FILE: memoryFile, NODE_OPTIONS: `--require "${join(import.meta.dirname, "collect.cjs")}"` },
  });
  const { provider: providerSchema, resources, dataSources } = await provider.getProviderSchema({});
  const label = of(impliedType(providerSchema!.block), { label: null } as never) as Value;
  await provider.configureProvider({ terraformVersion: "1.12.6", config: label });
  const block = resources.get("soak_note")!.block;
  const patient = dataSources.get("soak_patient")!.block;
  const wait = (waits: boolean): Value => of(impliedType(patient), { waiting: null, wait: waits } as never) as Value;
  const readPatient = async (waits: boolean, signal?: AbortSignal): Promise<number> => {
    const { state, diagnostics } = await provider.readDataSource({ typeName: "soak_patient", config: wait(waits) }, signal && { signal });
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    return (state!.payload as readonly unknown[])[patientSlot] as number;
  };
  const patientSlot = impliedType(patient).slots.get("waiting")!;
  const numbers = (function* () {
    for (let number = 0; ; number++) yield number;
  })();
  const call = (number: number): Promise<unknown> =>
    number % 100 === 99 ? callAndCancel((signal) => readPatient(true, signal)) : callNote(provider, block, number);
  return {
    provider,
    async call(times) {
      const lane = async (): Promise<void> => {
        for (let done = 0; done < times / 10; done++) await call(numbers.next().value as number);
      };
      await Promise.all(Array.from({ length: 10 }, lane));
    },
    async memory() {
      rmSync(memoryFile, { force: true });
      process.kill(Number(readFileSync(`${memoryFile}.pid`, "utf8")), "SIGUSR2");
      while (!existsSync(memoryFile)) await sleep(10);
      return JSON.parse(readFileSync(memoryFile, "utf8")) as Memory;
    },
    abandoned: () => readPatient(false),
    async [Symbol.asyncDispose]() {
      await provider.close();
      packaged[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function callAndCancel(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const waiting = call(controller.signal).then(
    () => false,
    (error: Error & { readonly code?: string }) => error.code === "CANCELLED",
  );
  await sleep(2);
  controller.abort();
  if (!(await waiting)) throw new Error("a cancelled call did not end with the error CANCELLED");
}

/** Makes one call about a note; the number selects the RPC. */
async function callNote(provider: Provider, block: Block, number: number): Promise<void> {
  const typeName = "soak_note";
  const type = impliedType(block);
  const absent = nullOf(type);
  const note = (id: string | null, title: string): Value =>
    of(type, { id, title, secret: `secret ${number}`, tags: { number: String(number) }, priority: number % 20 } as never) as Value;
  const config = note(null, `note ${number}`);
  const state = note("note-1", `note ${number}`);
  const fine = async (call: Promise<{ readonly diagnostics: readonly { readonly severity: string }[] }>, errors = 0): Promise<void> => {
    const { diagnostics } = await call;
    if (diagnostics.filter(({ severity }) => severity === "error").length !== errors) throw new Error(JSON.stringify(diagnostics));
  };
  const nothing = new Uint8Array(0);
  const change = { typeName, priorPrivate: nothing };
  switch (number % 7) {
    case 0:
      return fine(provider.validateResourceConfig({ typeName, config }));
    case 1:
      return fine(
        provider.planResourceChange({ ...change, priorState: absent, config, proposedNewState: proposedNew(block, absent, config) }),
      );
    case 2:
      return fine(
        provider.planResourceChange({ ...change, priorState: state, config, proposedNewState: proposedNew(block, state, config) }),
      );
    case 3:
      return fine(provider.applyResourceChange({ typeName, priorState: absent, plannedState: state, config, plannedPrivate: nothing }));
    case 4:
      return fine(provider.validateResourceConfig({ typeName, config: note(null, "") }), 1);
    case 5: {
      const stays = note("note-2", "stays");
      return fine(
        provider.applyResourceChange({ typeName, priorState: stays, plannedState: absent, config: absent, plannedPrivate: nothing }),
        1,
      );
    }
    default:
      return fine(provider.readResource({ typeName, currentState: state, private: nothing }));
  }
}
