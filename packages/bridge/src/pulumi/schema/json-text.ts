// SPDX-License-Identifier: Apache-2.0

// A schema has megabytes. Writing its text directly takes less time than building objects for `JSON.stringify`.

/** A text as JSON. */
export function jsonText(text: string): string {
  return JSON.stringify(text);
}

/** A member of an object. @param value - JSON text. */
export function jsonMember(name: string, value: string): string {
  return `${JSON.stringify(name)}:${value}`;
}

/** An object with members. Those that are undefined are left out. */
export function jsonObject(...members: readonly (string | undefined)[]): string {
  return `{${members.filter((member) => member !== undefined).join()}}`;
}
