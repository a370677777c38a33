// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { resolveCalls } from "../launch/launch-options.ts";
import { guardCalls } from "./guarded-calls.ts";
import { ProviderLife } from "./provider-life.ts";

/**
 * A provider whose calls reject with `DEADLINE_EXCEEDED` where they take longer than a time in milliseconds; of a stream, where an
 * element does. For providers that are launched or attached to, the option `callTimeoutMs` does the same.
 *
 * @throws PluginHostError `INVALID_OPTIONS` for a time that is none.
 */
export function withTimeout(provider: Provider, timeoutMs: number): Provider {
  const calls = guardCalls(provider, "the provider", new ProviderLife(), resolveCalls({ callTimeoutMs: timeoutMs }));
  const close = (): Promise<void> => provider.close();
  return { ...calls, close, [Symbol.asyncDispose]: close };
}
