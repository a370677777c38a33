// SPDX-License-Identifier: Apache-2.0

/** Sets a property of a plain object, whatever its name: assignment to `__proto__` would be lost. */
export function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  else record[name] = value;
}

/**
 * A member of what an author answered: also a getter of a class, but not what every object inherits, such as `constructor`.
 * Undefined where there is none.
 */
export function take(record: object, name: string): unknown {
  if (name in Object.prototype && !Object.hasOwn(record, name)) return undefined;
  return (record as Readonly<Record<string, unknown>>)[name];
}

/** Whether something may be an object with attributes: not an array, not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
