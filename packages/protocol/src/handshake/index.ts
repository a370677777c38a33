// SPDX-License-Identifier: Apache-2.0
/**
 * Handshake between a host and a plugin. Has no dependencies, because a provider loads it before it prints its handshake line.
 *
 * @module
 */
export { formatHandshakeLine, type HandshakeLine, parseHandshakeLine } from "./handshake-line.ts";
export { formatPluginAddress, parsePluginAddress, type PluginAddress } from "./plugin-address.ts";
export { hasMagicCookie, magicCookie, pluginVariables } from "./plugin-environment.ts";
export { negotiateProtocolVersion } from "./protocol-version.ts";
export { ProtocolError, type ProtocolErrorCode } from "../error.ts";
