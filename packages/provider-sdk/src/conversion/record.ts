// SPDX-License-Identifier: Apache-2.0

/** Sets a property of a plain object. Unlike an assignment, it also works for `__proto__`. */
export function put(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
  else record[name] = value;
}

/**
 * Returns a member of an author's object, or undefined. It includes getters of a class, but not the members that every object inherits,
 * such as `constructor`.
 */
export function take(record: object, name: string): unknown {
  if (name in Object.prototype && !Object.hasOwn(record, name)) return undefined;
  return (record as Readonly<Record<string, unknown>>)[name];
}

/** Whether a value is an object other than an array or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
