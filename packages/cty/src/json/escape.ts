// SPDX-License-Identifier: Apache-2.0

/** Characters that Go escapes although JSON does not require it, so that the text is safe in HTML and JavaScript. */
const special: RegExp = /[<>&\u2028\u2029]/g;
const any: RegExp = /[^ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]/;

/** Returns a string as Go's encoding/json writes it, with quotes. */
export function jsonString(text: string): string {
  if (!any.test(text)) return `"${text}"`;
  return JSON.stringify(text.toWellFormed()).replace(special, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
