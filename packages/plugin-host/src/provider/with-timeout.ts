// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { resolveCalls, type CallSettings, type CallTimeouts } from "../launch/launch-options.ts";
import { guardCalls } from "./guarded-calls.ts";
import { ProviderLife } from "./provider-life.ts";

/**
 * A provider whose calls reject with `DEADLINE_EXCEEDED` where they take longer than a time in milliseconds; of a stream, where an
 * element does; one limit for all calls, or one by the name of each. For providers that are launched or attached to, the option `callTimeoutMs` does
 * the same.
 *
 * @throws PluginHostError `INVALID_OPTIONS` for a time that is none.
 */
export function withTimeout(provider: Provider, timeoutMs: number | CallTimeouts): Provider {
  return withCallSettings(provider, { callTimeoutMs: timeoutMs });
}

/** The same provider, with limits of time and of calls at a time. @throws PluginHostError `INVALID_OPTIONS` */
export function withCallSettings(provider: Provider, settings: CallSettings): Provider {
  const calls = guardCalls(provider, "the provider", new ProviderLife(), resolveCalls(settings));
  const close = (): Promise<void> => provider.close();
  return { ...provider, ...calls, close, [Symbol.asyncDispose]: close };
}
