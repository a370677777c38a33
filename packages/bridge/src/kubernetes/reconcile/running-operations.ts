// SPDX-License-Identifier: Apache-2.0
import type { LifecycleObserver } from "@tenon/schema/lifecycle";
import type { SecretMask } from "@tenon/schema/observability";
import type { OperationStatus } from "./managed-resource.ts";
import type { OperationType } from "./operation-type.ts";

/** A log line of a provider. Records of `@tenon/plugin-host` have this form. */
export interface ProviderLogLine {
  readonly message: string;
  /** `tf_resource_type`, `tf_rpc` and `tf_req_id` say which call a line belongs to. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An operation to begin. */
export interface OperationStart {
  /** Key of the object in the work queue. */
  readonly key: string;
  /** UID of the object. */
  readonly uid: string;
  readonly type: OperationType;
  readonly startedAt: string;
  /** Resource type of the provider, by which log lines are assigned. */
  readonly typeName: string;
  /** Masks the secrets of the resource in log lines. */
  readonly secrets: SecretMask;
  /** Makes the change, and stores and reports its outcome. Returns whether it succeeded. Never rejects. */
  readonly run: (observer: LifecycleObserver) => Promise<boolean>;
}

/** Settings of {@link RunningOperations}. */
export interface RunningOperationsSettings {
  /** Number of operations that run at once. Default: 64. */
  readonly maximum?: number;
  /** Called after an operation has ended, with the key of its object. */
  readonly onEnd: (key: string, succeeded: boolean) => void;
}

/** Largest length of a progress message, in characters. */
const maxMessage = 512;

/** Changes that go on after the reconcile that began them. */
export class RunningOperations {
  readonly #settings: RunningOperationsSettings;
  readonly #operations = new Map<string, Operation>();
  /** UIDs whose operation has ended since their last reconcile. */
  readonly #ended = new Set<string>();
  /** Called after each operation. */
  readonly #afterEnd = new Set<() => void>();

  constructor(settings: RunningOperationsSettings) {
    this.#settings = settings;
  }

  /** Number of operations. */
  get size(): number {
    return this.#operations.size;
  }

  /** Whether no further operation can begin. */
  get isFull(): boolean {
    return this.#operations.size >= (this.#settings.maximum ?? 64);
  }

  /** Whether an operation of an object runs. */
  isRunning(uid: string): boolean {
    return this.#operations.has(uid);
  }

  /** Progress of the operation of an object; undefined where none runs, or where its outcome is being reported. */
  progressOf(uid: string): OperationStatus | undefined {
    return this.#operations.get(uid)?.status;
  }

  /** Ends the progress of an operation: its outcome is reported next, and progress must not overwrite it. */
  conclude(uid: string): void {
    this.#operations.get(uid)?.conclude();
  }

  /** Whether an operation of an object has ended since the last call: caches may not know its outcome yet. */
  takeEnded(uid: string): boolean {
    return this.#ended.delete(uid);
  }

  /** Begins an operation. */
  start(start: OperationStart): void {
    const operation = new Operation(start);
    this.#operations.set(start.uid, operation);
    void this.#run(start, operation);
  }

  async #run({ key, uid, run }: OperationStart, operation: Operation): Promise<void> {
    const succeeded = await run({ onPhase: (phase) => operation.enter(phase) });
    this.#operations.delete(uid);
    this.#ended.add(uid);
    this.#settings.onEnd(key, succeeded);
    for (const check of this.#afterEnd) check();
  }

  /** Forgets an object that is gone. */
  forget(uid: string): void {
    this.#ended.delete(uid);
  }

  /**
   * Assigns a log line to the operation whose call has written it. Of several operations of one resource type, it is the one that was the only
   * one when its call wrote its first line; other lines belong to none.
   */
  addLogLine({ message, fields }: ProviderLogLine): void {
    const { tf_resource_type: typeName, tf_rpc: rpc, tf_req_id: call } = fields;
    if (rpc !== "ApplyResourceChange" || typeof call !== "string") return;
    const candidates = [...this.#operations.values()].filter((operation) => operation.typeName === typeName);
    const owner = candidates.find((operation) => operation.calls.has(call)) ?? (candidates.length === 1 ? candidates[0] : undefined);
    owner?.addLine(call, message);
  }

  /** Settles when no operation of these objects runs. */
  async settled(matches: (uid: string) => boolean): Promise<void> {
    const isSettled = (): boolean => ![...this.#operations.keys()].some(matches);
    if (isSettled()) return;
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (!isSettled()) return;
        this.#afterEnd.delete(check);
        resolve();
      };
      this.#afterEnd.add(check);
    });
  }
}

class Operation {
  /** Identifiers of its calls in the provider's log. */
  readonly calls = new Set<string>();
  readonly #start: OperationStart;
  #phase = "";
  #line = "";
  #isConcluded = false;

  constructor(start: OperationStart) {
    this.#start = start;
  }

  get typeName(): string {
    return this.#start.typeName;
  }

  get status(): OperationStatus | undefined {
    if (this.#isConcluded) return undefined;
    const { type, startedAt } = this.#start;
    const message = [this.#phase, this.#line].filter((part) => part !== "").join(": ");
    return { type, startedAt, ...(message === "" ? {} : { message }) };
  }

  conclude(): void {
    this.#isConcluded = true;
  }

  enter(phase: string): void {
    this.#phase = phase;
    this.#line = "";
  }

  addLine(call: string, message: string): void {
    this.calls.add(call);
    this.#line = this.#start.secrets.hide(message).slice(0, maxMessage).toWellFormed();
  }
}
