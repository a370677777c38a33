// SPDX-License-Identifier: Apache-2.0
import { Faults } from "./fault.ts";
import type { Handler } from "./provider.ts";
import type { ObjectShape } from "../shape/shape.ts";

/** An upgrader of state or of an identity, checked. */
export interface CompiledUpgrader {
  /** Shape of the older version; undefined: the upgrader receives the stored JSON. */
  readonly shape: ObjectShape | undefined;
  readonly upgrade: Handler;
}

/** Returns the version that the author set, or 0. Adds a fault for an invalid version. */
export function versionOf(option: string, version: number | undefined, faults: Faults): number {
  if (version !== undefined && !(Number.isSafeInteger(version) && version >= 0))
    faults.add([], `${option} must be an integer, not below 0`);
  return version ?? 0;
}

/** Compiles a shape, and throws its faults. @throws SdkError `INVALID_SCHEMA`. */
export function checkedShape(where: string, shapeOf: (faults: Faults) => ObjectShape): ObjectShape {
  const faults = new Faults(where);
  const shape = shapeOf(faults);
  faults.throwIfAny("INVALID_SCHEMA");
  return shape;
}

/**
 * Compiles upgraders by the version that they upgrade from: a chain without gaps, up to the current version. Adds their faults to
 * `faults`.
 */
export function compileUpgraders<U extends { readonly upgrade: unknown }>(
  option: string,
  written: Readonly<Record<number, U>>,
  version: number,
  shapeOf: (upgrader: U, version: number) => ObjectShape | undefined,
  faults: Faults,
): ReadonlyMap<number, CompiledUpgrader> {
  const from = Object.keys(written)
    .map(Number)
    .toSorted((a, b) => a - b);
  for (const one of from) {
    if (!Number.isSafeInteger(one) || one < 0 || one >= version)
      faults.add([], `${option} has an upgrader from version ${one}, but it must be at least 0 and below the current version ${version}`);
  }
  for (let one = from[0] ?? 0; one < version; one++) {
    if (!from.includes(one))
      faults.add([], `${option} has no upgrader from version ${one}: every version below the current version ${version} needs one`);
  }
  return new Map(
    from.map((one) => {
      const upgrader = written[one]!;
      const shape = shapeOf(upgrader, one);
      if (typeof upgrader.upgrade !== "function") faults.add([], `the upgrader from version ${one} must define upgrade()`);
      return [one, { shape, upgrade: upgrader.upgrade as Handler }];
    }),
  );
}
