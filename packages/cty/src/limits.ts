// SPDX-License-Identifier: Apache-2.0

/** So deep may values nest in bytes and text from elsewhere: far more than people write, far less than the stack holds. */
export const maxDepth = 1000;

/** So many unknown elements of lists may be promised in one input. A promise takes a few bytes to make, and memory to believe. */
export const mostUnknownElements = 1_000_000;
export const promisedTooMuch: string = `more than ${mostUnknownElements} unknown elements are promised`;
