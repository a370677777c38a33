// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** An error as the engine sees it. */
export interface EngineFailure {
  readonly message: string;
  readonly code?: string;
  /** Reasons for which a resource exists but is not complete. */
  readonly initReasons?: readonly string[];
}

/** A response to a call; a failed one may have a result, too. */
export interface EngineAnswer<Result> {
  readonly ok?: Result;
  readonly error?: EngineFailure;
}

/** A JSON object. */
export type Properties = Readonly<Record<string, unknown>>;

/** Difference as the engine sees it. */
export interface EngineDiff {
  /** 1: nothing changes, 2: something does. */
  readonly changes: number;
  readonly replaces: readonly string[] | null;
  readonly changed: readonly string[] | null;
  readonly detailed: Readonly<Record<string, string>>;
  readonly deleteBeforeReplace: boolean;
}

/** A message of a plugin for the user. */
export interface EngineMessage {
  readonly severity: string;
  readonly urn?: string;
  readonly text: string;
}

/** A resource as the engine sees it. */
export interface EngineResource {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** The engine's own client, with a plugin that it has started. */
export class PulumiEngine implements AsyncDisposable {
  /** Messages of the plugin for the user. */
  readonly messages: EngineMessage[] = [];
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (answer: EngineAnswer<unknown>) => void>();
  readonly #started = Promise.withResolvers<EngineAnswer<unknown>>();
  #calls = 0;

  private constructor(process: ChildProcess) {
    this.#process = process;
    createInterface(process.stdout!).on("line", (line) => this.#receive(line));
    process.once("exit", (code) => {
      const error = { message: `the engine's client ended with ${code}` };
      this.#started.resolve({ error });
      for (const settle of this.#waiting.values()) settle({ error });
    });
  }

  /** Process of the client, whose child is the plugin. */
  get pid(): number {
    return this.#process.pid!;
  }

  /**
   * Starts a plugin as the engine does. Where the machine is too busy for the ten seconds that the engine gives a plugin, it is started again.
   *
   * @throws Error where the engine cannot start it.
   */
  static async start(client: string, plugin: string, environment: NodeJS.ProcessEnv = {}): Promise<PulumiEngine> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await PulumiEngine.#startOnce(client, plugin, environment);
      } catch (error) {
        if (attempt === 5 || !String(error).includes("did not begin responding")) throw error;
      }
    }
  }

  static async #startOnce(client: string, plugin: string, environment: NodeJS.ProcessEnv): Promise<PulumiEngine> {
    const child = spawn(client, [plugin], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...environment } });
    const engine = new PulumiEngine(child);
    const { error } = await engine.#started.promise;
    if (error) throw new Error(error.message);
    return engine;
  }

  /** Makes a call, and returns its result or its error. */
  async answer<Result = Properties>(call: string, args?: unknown): Promise<EngineAnswer<Result>> {
    const id = (this.#calls += 1);
    const { promise, resolve } = Promise.withResolvers<EngineAnswer<unknown>>();
    this.#waiting.set(id, resolve);
    this.#process.stdin!.write(`${JSON.stringify({ id, call, args })}\n`);
    return (await promise) as EngineAnswer<Result>;
  }

  /** Makes a call. @throws Error where it fails. */
  async call<Result = Properties>(call: string, args?: unknown): Promise<Result> {
    const { ok, error } = await this.answer<Result>(call, args);
    if (error) throw new Error(`${call}: ${[error.message, ...(error.initReasons ?? [])].join("; ")}`);
    return ok!;
  }

  /** Selects a provider and configures it. */
  async configured(args: readonly string[], config: Properties): Promise<string> {
    const { name } = await this.call<{ readonly name: string }>("parameterizeArgs", args);
    const urn = `urn:pulumi:dev::project::pulumi:providers:${name}::default`;
    const { inputs, failures } = await this.call<{ readonly inputs: Properties; readonly failures: Properties }>("checkConfig", {
      urn,
      inputs: config,
    });
    if (Object.keys(failures).length > 0) throw new Error(`configuration: ${JSON.stringify(failures)}`);
    await this.call("configure", { urn, inputs });
    return name;
  }

  /** Creates a resource as an update does: checks it, previews it, and creates it. */
  async created(urn: string, inputs: Properties): Promise<EngineResource> {
    const seed = Buffer.alloc(32, 7).toString("base64");
    const checked = await this.call<{ readonly inputs: Properties; readonly failures: Properties }>("check", { urn, inputs, seed });
    if (Object.keys(checked.failures).length > 0) throw new Error(`${urn}: ${JSON.stringify(checked.failures)}`);
    await this.call("create", { urn, inputs: checked.inputs, preview: true });
    const { id, outputs } = await this.call<EngineResource>("create", { urn, inputs: checked.inputs });
    return { id, inputs: checked.inputs, outputs };
  }

  /** Checks the new inputs of a resource, and compares them with it. */
  async diffed(urn: string, resource: EngineResource, news: Properties, ignoreChanges?: readonly string[]): Promise<EngineDiff> {
    const { inputs } = await this.call<{ readonly inputs: Properties }>("check", { urn, inputs: news, oldInputs: resource.inputs });
    return await this.call<EngineDiff>("diff", { urn, ...priorOf(resource), inputs, ignoreChanges });
  }

  /** Updates a resource: checks the new inputs, previews the change, and makes it. */
  async updated(urn: string, resource: EngineResource, news: Properties): Promise<EngineResource> {
    const { inputs } = await this.call<{ readonly inputs: Properties }>("check", { urn, inputs: news, oldInputs: resource.inputs });
    const change = { urn, ...priorOf(resource), inputs };
    await this.call("update", { ...change, preview: true });
    const { outputs } = await this.call<{ readonly outputs: Properties }>("update", change);
    return { id: resource.id, inputs, outputs };
  }

  /** Reads a resource. It has no outputs where it does not exist. */
  async read(urn: string, resource: EngineResource): Promise<Partial<EngineResource>> {
    return await this.call<Partial<EngineResource>>("read", { urn, ...priorOf(resource) });
  }

  /** Deletes a resource. */
  async deleted(urn: string, resource: EngineResource): Promise<void> {
    await this.call("delete", { urn, ...priorOf(resource) });
  }

  #receive(line: string): void {
    const { id, message, ...answer } = JSON.parse(line) as EngineAnswer<unknown> & {
      readonly id?: number;
      readonly message?: EngineMessage;
    };
    if (message) this.messages.push(message);
    else if (id === undefined) this.#started.resolve(answer);
    else {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    }
  }

  /** Closes the plugin as the engine does: Cancel, then SIGINT. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.stdin!.end();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }
}

function priorOf({ id, inputs, outputs }: EngineResource): object {
  return { id, oldInputs: inputs, oldOutputs: outputs };
}
