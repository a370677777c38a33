// SPDX-License-Identifier: Apache-2.0

/** Messages of a stream between the connection that brings them and whoever asks for them. Can be iterated once. */
export class MessageQueue<T> implements AsyncIterableIterator<T, undefined, undefined> {
  readonly #read: (bytes: Uint8Array) => T;
  readonly #taken: (size: number) => void;
  readonly #abandoned: () => void;
  #waiting: Uint8Array[] = [];
  #next = 0;
  #asking: { readonly resolve: (result: IteratorResult<T, undefined>) => void; readonly reject: (error: unknown) => void }[] = [];
  #end: { readonly error: unknown } | "ended" | undefined;

  /**
   * @param read Decodes a message when it is asked for.
   * @param taken Told that a message has been taken, with its length.
   * @param abandoned Told that nobody will ask any more.
   */
  constructor(read: (bytes: Uint8Array) => T, taken: (size: number) => void, abandoned: () => void) {
    this.#read = read;
    this.#taken = taken;
    this.#abandoned = abandoned;
  }

  push(bytes: Uint8Array): void {
    if (this.#end !== undefined) {
      this.#taken(bytes.length);
      return;
    }
    this.#waiting.push(bytes);
    this.#serve();
  }

  /** After what has come, there is no more. */
  end(): void {
    this.#end ??= "ended";
    this.#serve();
  }

  /** After what has come, this. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#serve();
  }

  /** Now, whatever has come. */
  abort(error: unknown): void {
    if (this.#end === undefined || this.#next < this.#waiting.length) this.#end = { error };
    this.#discard();
    this.#serve();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      this.#asking.push({ resolve, reject });
      this.#serve();
    });
  }

  return(): Promise<IteratorResult<T, undefined>> {
    const open = this.#end === undefined || this.#next < this.#waiting.length;
    this.#end = "ended";
    this.#discard();
    this.#serve();
    if (open) this.#abandoned();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #serve(): void {
    while (this.#asking.length > 0) {
      const bytes = this.#waiting[this.#next];
      if (bytes !== undefined) {
        this.#serveMessage(bytes);
        continue;
      }
      if (this.#end === undefined) return;
      const { resolve, reject } = this.#asking.shift()!;
      if (this.#end === "ended") {
        resolve({ done: true, value: undefined });
        continue;
      }
      reject(this.#end.error);
      // An error is told once.
      this.#end = "ended";
    }
  }

  #serveMessage(bytes: Uint8Array): void {
    this.#next++;
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
    }
    const { resolve, reject } = this.#asking.shift()!;
    this.#taken(bytes.length);
    try {
      resolve({ done: false, value: this.#read(bytes) });
    } catch (error) {
      this.#end = "ended";
      this.#discard();
      reject(error);
      this.#abandoned();
    }
  }

  #discard(): void {
    for (; this.#next < this.#waiting.length; this.#next++) this.#taken(this.#waiting[this.#next]!.length);
    this.#waiting = [];
    this.#next = 0;
  }
}
