// SPDX-License-Identifier: Apache-2.0
import { Faults } from "./fault.ts";
import type { Handler } from "./provider.ts";
import type { ObjectShape } from "./shape.ts";

/** An upgrader of state or of an identity, with the shape of what it reads where its author said what that is. */
export interface CompiledUpgrader {
  readonly shape: ObjectShape | undefined;
  readonly upgrade: Handler;
}

/** A version that an author gave, or 0; one that cannot be goes to `faults`. */
export function versionOf(option: string, version: number | undefined, faults: Faults): number {
  if (version !== undefined && !(Number.isSafeInteger(version) && version >= 0)) faults.add([], `${option} is a whole number, not below 0`);
  return version ?? 0;
}

/** A shape without faults. @throws SdkError `INVALID_SCHEMA`. */
export function checkedShape(where: string, shapeOf: (faults: Faults) => ObjectShape): ObjectShape {
  const faults = new Faults(where);
  const shape = shapeOf(faults);
  faults.throwIfAny("INVALID_SCHEMA");
  return shape;
}

/** Upgraders by the version they lead from: a chain without a gap, up to the current version. What is wrong with it goes to `faults`. */
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
      faults.add([], `${option} has a version ${one}, but upgrades lead from 0 or more to version ${version}`);
  }
  for (let one = from[0] ?? 0; one < version; one++) {
    if (!from.includes(one))
      faults.add([], `${option} has no upgrader from version ${one}: each leads to the next, up to version ${version}`);
  }
  return new Map(
    from.map((one) => {
      const upgrader = written[one]!;
      const shape = shapeOf(upgrader, one);
      if (typeof upgrader.upgrade !== "function") faults.add([], `the upgrader from version ${one} has no function upgrade`);
      return [one, { shape, upgrade: upgrader.upgrade as Handler }];
    }),
  );
}
