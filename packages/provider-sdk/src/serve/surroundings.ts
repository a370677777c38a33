// SPDX-License-Identifier: Apache-2.0

/** What of its surroundings a provider looked at. */
export interface SurroundingsSeen {
  /** Environment variables it asked for that were not set. */
  readonly absent: readonly string[];
  /** Whether it asked for anything else than that: a variable that is set, all of them, a file, the network, the machine. */
  readonly more: boolean;
}

/** Node's modules that tell of what is outside of a program. */
const outside: readonly string[] = [
  "child_process",
  "dgram",
  "dns",
  "dns/promises",
  "fs",
  "fs/promises",
  "http",
  "http2",
  "https",
  "net",
  "os",
  "tls",
];

/**
 * Watches, from now on, what this process looks at outside of itself. What it has got hold of before is not seen, nor are clocks and
 * randomness: who wants to be sure runs it twice.
 *
 * For a process that ends thereafter: the watch does not.
 */
export function watchSurroundings(): () => SurroundingsSeen {
  const absent = new Set<string>();
  let more = false;
  // Called by traps, whose caller is who looks. Node looks for variables of its own.
  const asked = (name: string | symbol, isSet: boolean): void => {
    if (typeof name === "symbol" || byNode(new Error().stack, 3)) return;
    if (isSet) more = true;
    else absent.add(name);
  };
  process.env = new Proxy(process.env, {
    get(target, name) {
      asked(name, name in target);
      return Reflect.get(target, name) as unknown;
    },
    has(target, name) {
      asked(name, name in target);
      return name in target;
    },
    getOwnPropertyDescriptor(target, name) {
      asked(name, name in target);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys(target) {
      more = true;
      return Reflect.ownKeys(target);
    },
  });
  const { fetch } = globalThis;
  globalThis.fetch = (...args) => {
    more = true;
    return fetch(...args);
  };
  const loadEnvFile = process.loadEnvFile.bind(process);
  process.loadEnvFile = (path) => {
    more = true;
    loadEnvFile(path);
  };
  for (const name of outside) {
    const exports = process.getBuiltinModule(`node:${name}`) as unknown as Record<string, unknown>;
    for (const [key, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
      // What is made when it is looked at is made of the rest.
      if (typeof value !== "function" || !writable) continue;
      exports[key] = new Proxy(value as (...args: unknown[]) => unknown, {
        apply(target, self, args) {
          more ||= !byNode(new Error().stack, 2);
          return Reflect.apply(target, self, args);
        },
        construct(target, args, made) {
          more = true;
          return Reflect.construct(target, args, made) as object;
        },
      });
    }
  }
  // Who imports names of them gets those too.
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
  return () => ({ absent: [...absent].toSorted(), more });
}

/** Whether the call was made by Node itself: to load a module of the bundle, or on behalf of a call that is looked at by itself. */
function byNode(stack: string | undefined, depth: number): boolean {
  return /^\s*at (?:.* \()?node:/.test(stack?.split("\n")[depth] ?? "");
}
