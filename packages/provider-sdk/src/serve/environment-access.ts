// SPDX-License-Identifier: Apache-2.0

/** Accesses of a provider to its environment. */
export interface EnvironmentAccess {
  /** Environment variables that the provider read and that were not set. */
  readonly absent: readonly string[];
  /** Whether it accessed anything else: a variable that is set, the list of variables, a file, the network or the machine. */
  readonly more: boolean;
}

/** Node's modules that read the environment of a program. */
const watchedModules: readonly string[] = [
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
 * Records every access of this process to its environment from now on. Does not see functions that the program obtained earlier, nor
 * clocks and random numbers: run the program twice to detect those.
 *
 * The watch cannot be removed, so use it only in a process that ends afterwards.
 */
export function watchEnvironmentAccess(): () => EnvironmentAccess {
  const absent = new Set<string>();
  let more = false;
  // The frame above the trap is the reader. Node itself reads some variables, and those reads do not count.
  const recordRead = (name: string | symbol, isSet: boolean): void => {
    if (typeof name === "symbol" || isCalledByNode(new Error().stack, 3)) return;
    if (isSet) more = true;
    else absent.add(name);
  };
  process.env = new Proxy(process.env, {
    get(target, name) {
      recordRead(name, name in target);
      return Reflect.get(target, name) as unknown;
    },
    has(target, name) {
      recordRead(name, name in target);
      return name in target;
    },
    getOwnPropertyDescriptor(target, name) {
      recordRead(name, name in target);
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
  for (const name of watchedModules) {
    const exports = process.getBuiltinModule(`node:${name}`) as unknown as Record<string, unknown>;
    for (const [key, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
      // Skip getters: they compute their value with the other functions.
      if (typeof value !== "function" || !writable) continue;
      exports[key] = new Proxy(value as (...args: unknown[]) => unknown, {
        apply(target, self, args) {
          more ||= !isCalledByNode(new Error().stack, 2);
          return Reflect.apply(target, self, args);
        },
        construct(target, args, newTarget) {
          more = true;
          return Reflect.construct(target, args, newTarget) as object;
        },
      });
    }
  }
  // Replaces the functions for named imports too.
  process.getBuiltinModule("node:module").syncBuiltinESMExports();
  return () => ({ absent: [...absent].toSorted(), more });
}

/** Whether Node itself made the call: to load a module of the bundle, or within a call that is recorded separately. */
function isCalledByNode(stack: string | undefined, depth: number): boolean {
  return /^\s*at (?:.* \()?node:/.test(stack?.split("\n")[depth] ?? "");
}
