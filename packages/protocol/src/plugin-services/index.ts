// SPDX-License-Identifier: Apache-2.0
/**
 * The services every plugin serves beside its own, ready to be registered with a carrier's server.
 *
 * @module
 */
export { brokerService } from "./broker.ts";
export { controllerService } from "./controller.ts";
export { healthService } from "./health.ts";
export { stdioService, type StdioService, type StdioServiceOptions } from "./stdio.ts";
