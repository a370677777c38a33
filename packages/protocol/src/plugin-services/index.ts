// SPDX-License-Identifier: Apache-2.0
/**
 * Services that every plugin serves in addition to its own. Register them with the server of a carrier.
 *
 * @module
 */
export { brokerService } from "./broker.ts";
export { controllerService } from "./controller.ts";
export { healthService } from "./health.ts";
export { stdioService, type StdioService, type StdioServiceOptions } from "./stdio.ts";
