// SPDX-License-Identifier: Apache-2.0

/** Maximum nesting depth of untrusted input: far above that of real values, and far below the limit of the stack. */
export const maxDepth = 1000;

/** Maximum number of unknown list elements that refinements in one input may promise: a refinement of a few bytes can require gigabytes of memory. */
export const maxUnknownElements = 1_000_000;
/** Message of the error for more than {@link maxUnknownElements}. */
export const unknownElementsMessage: string = `more than ${maxUnknownElements} unknown elements`;

/** Largest length of a collection in go-cty, where it stands for "no limit". */
export const maxLength = 9223372036854775807n;
