// SPDX-License-Identifier: Apache-2.0
/** One finding of a validator: an error as the rest of a sentence about the attribute ("must be …"), or a warning. */
export type Finding = string | { readonly warning: string };

/** The result of a validator: its findings; undefined if there are none. */
export type Verdict = Finding | readonly Finding[] | undefined;
