// SPDX-License-Identifier: Apache-2.0

/** Version of the shape of types and payloads. Copies of this package share objects only if they have the same version. */
const representation = 1;

/** Returns the object of the given name that all installed copies of this package share, and creates it if there is none. */
export function singleton<T extends object>(name: string, create: () => T): T {
  const key = Symbol.for(`@tenon/cty/${name}/${representation}`);
  const holder = globalThis as unknown as Record<symbol, T | undefined>;
  return (holder[key] ??= create());
}
