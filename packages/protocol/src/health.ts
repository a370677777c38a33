// SPDX-License-Identifier: Apache-2.0
/**
 * Messages and service of the gRPC health check.
 *
 * @module
 */
export * from "./gen/grpc/health/v1/health_pb.ts";
