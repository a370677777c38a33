// SPDX-License-Identifier: Apache-2.0

/** Returns a text as one argument for POSIX shells, with as little quoting as possible: the difference `excluded-address-quoting`. @see go-shquot, POSIXShellSplit */
export function shellArgument(text: string): string {
  if (text === "") return "''";
  if (/[ \n\t]/.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return text.replace(/[|&;<>(){}[\]$`\\"'*?!#~=%]/g, String.raw`\$&`);
}
