// SPDX-License-Identifier: Apache-2.0
/**
 * How a plugin and its host find each other. Loads nothing but this: it runs before a provider's first line is out.
 *
 * @module
 */
export { formatHandshakeLine, type HandshakeLine, parseHandshakeLine } from "./handshake-line.ts";
export { formatPluginAddress, parsePluginAddress, type PluginAddress } from "./plugin-address.ts";
export { hasMagicCookie, magicCookie, pluginVariables } from "./plugin-environment.ts";
export { negotiateProtocolVersion } from "./protocol-version.ts";
export { ProtocolError, type ProtocolErrorCode } from "../error.ts";
