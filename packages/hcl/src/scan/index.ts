// SPDX-License-Identifier: Apache-2.0
/**
 * Tokens of the native syntax.
 *
 * @module
 */
export { isValidIdentifier } from "./identifier.ts";
export { tokenize, type Token, type TokenizeOptions, type TokenType } from "./tokenize.ts";
