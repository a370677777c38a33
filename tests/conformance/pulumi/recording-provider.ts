// SPDX-License-Identifier: Apache-2.0
import { goString, isValue } from "@tenon/cty";
import type { Provider, RawState } from "@tenon/schema";

/** Request of a resource that a provider received: each value as text. */
export interface RecordedRequest {
  readonly call: string;
  /** Type of the resource. */
  readonly typeName: string;
  readonly values: Readonly<Record<string, string>>;
}

const recorded: ReadonlySet<string | symbol> = new Set([
  "validateResourceConfig",
  "upgradeResourceState",
  "planResourceChange",
  "applyResourceChange",
]);

/** Wraps a provider: each request with values of a resource is passed on before the provider receives it. */
export function recordingProvider(provider: Provider, record: (request: RecordedRequest) => void): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (!recorded.has(name)) return member.bind(target) as unknown;
      return (request: object, ...rest: readonly unknown[]): unknown => {
        const values = Object.fromEntries(
          Object.entries(request).flatMap(([field, value]) => {
            if (field === "rawState") return [[field, canonicalJson(new TextDecoder().decode((value as RawState).json))]];
            return isValue(value) ? [[field, goString(value)]] : [];
          }),
        );
        record({ call: String(name), typeName: (request as { readonly typeName: string }).typeName, values });
        return Reflect.apply(member, target, [request, ...rest]);
      };
    },
  });
}

/** JSON with sorted keys, and with numbers as texts, because a double may not hold them. */
function canonicalJson(text: string): string {
  const data = JSON.parse(text, ((_: string, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value === "number") return { number: context?.source ?? String(value) };
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }) as Parameters<typeof JSON.parse>[1]) as unknown;
  return JSON.stringify(data);
}
