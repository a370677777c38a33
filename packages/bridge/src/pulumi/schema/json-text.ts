// SPDX-License-Identifier: Apache-2.0

// A schema has megabytes. Writing its text directly takes less time than building objects for `JSON.stringify`. Texts are added, because `join`
// would copy the text of each object into that of the object around it.

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
  return jsonObjectOf(members);
}

/** An object with the members of a list. Those that are undefined are left out. */
export function jsonObjectOf(members: readonly (string | undefined)[]): string {
  let text = "";
  for (const member of members) if (member !== undefined) text += text === "" ? member : `,${member}`;
  return `{${text}}`;
}
