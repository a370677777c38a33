// SPDX-License-Identifier: Apache-2.0

/** The line of a stack for the author's code that declared a step or a check. Empty if it is not known. */
export type CallSite = string;

/** Returns the line that called `declaring`, a function of this package. */
export function callSite(declaring: (...args: never[]) => unknown): CallSite {
  const holder = new Error("call site");
  Error.captureStackTrace(holder, declaring);
  return holder.stack?.split("\n").find((line) => /^\s+at /.test(line)) ?? "";
}

/** Replaces the stack of an error by one line, so that reporters show the author's code. */
export function withSite<E extends Error>(error: E, site: CallSite): E {
  if (site !== "") error.stack = `${error.name}: ${error.message}\n${site}`;
  return error;
}
