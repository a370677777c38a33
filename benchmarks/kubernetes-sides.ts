// SPDX-License-Identifier: Apache-2.0
// The two programs that `npm run bench -- kubernetes` compares: an operator of ours, bundled, and the peer `kubernetes-controller`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { requirePeer } from "@tenon/peers";
import { group } from "./kubernetes-cluster.ts";

export type Side = "ours" | "peer";

export const sides: readonly Side[] = ["ours", "peer"];

/** What an operator is started with. */
export interface OperatorStart {
  /** The program of our side. */
  readonly bundle: string;
  readonly kubeconfig: string;
  /** Executable of the provider. */
  readonly provider: string;
  /** Time between two observations of an object. */
  readonly pollMs: number;
  /** Flags of Node.js, for profiles. */
  readonly flags?: readonly string[];
}

/** A running operator. */
export class RunningOperator {
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #healthPort: number;
  readonly #metricsPort: number;
  readonly #metric: RegExp;

  private constructor(process: ChildProcess, healthPort: number, metricsPort: number, metric: RegExp) {
    this.#process = process;
    this.pid = process.pid!;
    this.#healthPort = healthPort;
    this.#metricsPort = metricsPort;
    this.#metric = metric;
  }

  static async start(side: Side, { bundle, kubeconfig, provider, pollMs, flags = [] }: OperatorStart): Promise<RunningOperator> {
    const [healthPort, metricsPort] = [await freePort(), await freePort()];
    // Our host sets these variables itself.
    const env = { ...process.env, TF_LOG: "off", TF_LOG_SDK: "off", TF_LOG_PROVIDER: "off" };
    if (side === "ours") {
      const args = [...flags, bundle, kubeconfig, group, String(pollMs), String(healthPort), provider];
      // As in the Deployment of the install manifest.
      const ours = { ...env, NODE_OPTIONS: "--max-semi-space-size=8" };
      const child = spawn(process.execPath, args, { env: ours, stdio: ["ignore", "ignore", "inherit"] });
      return new RunningOperator(child, healthPort, healthPort, /^tenon_reconciles_total\{[^}]*result="success"[^}]*\} (\S+)/m);
    }
    const kind = ["-path", kubeconfig, "-group", group, "-kind", "Note", "-type", "bench_note"];
    const ports = ["-health", String(healthPort), "-metrics", String(metricsPort)];
    const args = [...kind, ...ports, "-poll", `${pollMs}ms`, provider];
    // Its standard error has lines of the provider's plugin library, whatever the log level.
    const child = spawn(requirePeer("kubernetes-controller").path, args, { env, stdio: ["ignore", "ignore", "ignore"] });
    return new RunningOperator(
      child,
      healthPort,
      metricsPort,
      /^controller_runtime_reconcile_total\{[^}]*result="requeue_after"[^}]*\} (\S+)/m,
    );
  }

  /** Waits until it is ready. */
  async ready(): Promise<void> {
    for (;;) {
      if (this.#process.exitCode !== null) throw new Error(`the operator ended with code ${this.#process.exitCode} before it was ready`);
      const status = await fetch(`http://127.0.0.1:${this.#healthPort}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return;
      await sleep(5);
    }
  }

  /** Number of reconciles that ended well. */
  async reconciles(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`)).text();
    return Number(this.#metric.exec(text)?.[1] ?? 0);
  }

  async end(): Promise<void> {
    const closed = once(this.#process, "close");
    this.#process.kill("SIGTERM");
    await closed;
  }
}

async function freePort(): Promise<number> {
  const listening = createServer();
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  await new Promise((resolve) => void listening.close(resolve));
  return port;
}
