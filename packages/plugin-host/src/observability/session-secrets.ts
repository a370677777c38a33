// SPDX-License-Identifier: Apache-2.0
import { HiddenTexts } from "@tenon/schema/observability";
import type { LogRecord } from "../output/log-record.ts";
import type { CallSecrets } from "./call-secrets.ts";

/** How long a provider may still write about a call that has been answered, in milliseconds. */
const afterwardsMs = 2_000;
/** Of so many calls at most; what they hold may be large. */
const mostAfterwards = 16;

/** What is secret in one session with a provider: its configuration, and the calls that are under way or were a moment ago. */
export class SessionSecrets {
  /** What stays secret in every call. */
  readonly configured: HiddenTexts = new HiddenTexts();
  readonly #underWay = new Set<CallSecrets>();
  #ended: readonly { readonly secrets: CallSecrets; readonly at: number }[] = [];

  begin(secrets: CallSecrets): void {
    this.#underWay.add(secrets);
  }

  end(secrets: CallSecrets): void {
    this.#underWay.delete(secrets);
    this.#ended = [...this.#recent(), { secrets, at: performance.now() }].slice(-mostAfterwards);
  }

  /** What a provider wrote to its log, without what is secret: it cannot be told which call a line is about. */
  mask(record: LogRecord): LogRecord {
    this.#ended = this.#recent();
    let { message, fields } = record;
    message = this.configured.hide(message);
    fields = this.configured.hideIn(fields);
    for (const secrets of [...this.#underWay, ...this.#ended.map((call) => call.secrets)]) {
      message = secrets.hide(message);
      fields = secrets.hideIn(fields);
    }
    return { ...record, message, fields };
  }

  #recent(): readonly { readonly secrets: CallSecrets; readonly at: number }[] {
    const now = performance.now();
    return this.#ended.filter(({ at }) => now - at < afterwardsMs);
  }
}
