// SPDX-License-Identifier: Apache-2.0
/**
 * Cassettes: HTTP requests of tests, recorded once and replayed without the remote system.
 *
 * @module
 */
export { withCassette } from "./with-cassette.ts";
export type { Cassette, CassetteMode, CassetteOptions } from "./cassette.ts";
export type { MatchSettings } from "./request-difference.ts";
export type { SecretSettings } from "./secrets.ts";
export type { Json, JsonObject, RawNumber } from "../documents/json.ts";
