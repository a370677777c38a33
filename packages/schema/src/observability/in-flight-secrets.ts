// SPDX-License-Identifier: Apache-2.0

/** Masks secrets in texts, and in the fields of log lines. */
export interface SecretMask {
  /** Returns the text with every secret masked. */
  hide(text: string): string;
  /** Returns the value with every secret in it masked, at any depth. */
  hideIn<T>(value: T): T;
}

/** Time for which the secrets of an ended call remain masked, in seconds: the provider may still write about the call. */
const recentSeconds = 2;
/** Maximum number of ended calls whose secrets are kept: their messages may be large. */
const recentCalls = 16;
/** Maximum number of ephemeral values that stay secret after the call that opened them. */
const keptEphemeralValues = 64;
/** Maximum number of outputs that are held back; further outputs are dropped. */
const maximumHeldOutputs = 10_000;

/** Options of {@link InFlightSecrets.begin}. */
export interface CallSecrecy {
  /**
   * Whether the response itself is a secret, as the result of an ephemeral resource is. Output during the call may contain it, and is
   * held back until the call ends. The response stays secret afterwards.
   */
  readonly responseIsSecret?: boolean;
}

/** Secrets of the calls in flight, and of calls that ended within the last seconds. Masks output whose call is not known: panic texts, and a provider's output and log.
 */
export class InFlightSecrets implements SecretMask {
  readonly #parent: InFlightSecrets | undefined;
  /** An array and not a set: the hash table of a long-lived set would keep the secrets of ended calls in memory. */
  readonly #inFlight: SecretMask[] = [];
  /** Calls in flight whose response is a secret. */
  readonly #secretResponses = new Set<SecretMask>();
  /** Ring buffer, written at `#position`. `at` is `process.uptime()`, because `performance` would load a further module of Node. */
  readonly #recent: { readonly secrets: SecretMask; readonly at: number }[] = [];
  #position = 0;
  /** Secrets of ephemeral values, which stay in use after the call that opened them. */
  readonly #kept = new Set<SecretMask>();
  #held: (() => void)[] = [];

  /** @param parent Receives each call, too: for example, the secrets of the whole process. */
  constructor(parent?: InFlightSecrets) {
    this.#parent = parent;
  }

  /** Adds the secrets of a call. */
  begin(secrets: SecretMask, secrecy: CallSecrecy = {}): void {
    this.#inFlight.push(secrets);
    if (secrecy.responseIsSecret) this.#secretResponses.add(secrets);
    this.#parent?.begin(secrets, secrecy);
  }

  /** Ends a call. Its secrets remain masked for two seconds, those of a secret response for longer. */
  end(secrets: SecretMask): void {
    this.#parent?.end(secrets);
    const position = this.#inFlight.indexOf(secrets);
    if (position === -1) return;
    const last = this.#inFlight.pop()!;
    if (last !== secrets) this.#inFlight[position] = last;
    if (!this.#secretResponses.delete(secrets)) {
      this.#recent[this.#position++ % recentCalls] = { secrets, at: process.uptime() };
      return;
    }
    this.#kept.add(secrets);
    for (const oldest of this.#kept) {
      if (this.#kept.size <= keptEphemeralValues) break;
      this.#kept.delete(oldest);
    }
    if (!this.isHolding) this.release();
  }

  /** Whether output must be held back because a call in flight has a secret response. */
  get isHolding(): boolean {
    return this.#secretResponses.size > 0;
  }

  /**
   * Holds an output back until no call with a secret response is in flight. Then `deliver` is called, and must mask the output. When 10,000
   * outputs are held back, further ones are dropped.
   */
  hold(deliver: () => void): void {
    if (this.#held.length < maximumHeldOutputs) this.#held.push(deliver);
  }

  /** Delivers the outputs that are held back, in order. A process calls it before it ends. */
  release(): void {
    const held = this.#held;
    this.#held = [];
    for (const deliver of held) deliver();
  }

  hide(text: string): string {
    let hidden = text;
    for (const secrets of this.#all()) hidden = secrets.hide(hidden);
    return hidden;
  }

  hideIn<T>(value: T): T {
    let hidden = value;
    for (const secrets of this.#all()) hidden = secrets.hideIn(hidden);
    return hidden;
  }

  *#all(): Generator<SecretMask, void> {
    yield* this.#inFlight;
    yield* this.#kept;
    const since = process.uptime() - recentSeconds;
    for (const { secrets, at } of this.#recent) if (at >= since) yield secrets;
  }
}
