// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { resolveCalls, type CallSettings, type CallTimeouts } from "./call-settings.ts";
import { guardCalls } from "./guarded-calls.ts";
import { ProviderLife } from "./provider-life.ts";

/**
 * Adds time limits to a provider: a call, or the next element of a stream, that takes longer rejects with `DEADLINE_EXCEEDED`. The option
 * `callTimeoutMs` of `launchProvider` and `attachProvider` has the same effect.
 *
 * @param timeoutMs - one limit for all calls, or limits by name, in milliseconds
 * @throws PluginHostError `INVALID_OPTIONS` for an invalid limit
 */
export function withTimeout(provider: Provider, timeoutMs: number | CallTimeouts): Provider {
  return withCallSettings(provider, { callTimeoutMs: timeoutMs });
}

/** Adds a time limit and a limit of calls in flight to a provider. @throws PluginHostError `INVALID_OPTIONS` */
export function withCallSettings(provider: Provider, settings: CallSettings): Provider {
  const calls = guardCalls(provider, "the provider", new ProviderLife(), resolveCalls(settings));
  const close = (): Promise<void> => provider.close();
  return { ...provider, ...calls, close, [Symbol.asyncDispose]: close };
}
