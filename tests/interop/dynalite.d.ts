// SPDX-License-Identifier: Apache-2.0
declare module "dynalite" {
  import type { Server } from "node:http";

  /** Creates a DynamoDB server in memory. */
  export default function dynalite(options?: { readonly createTableMs?: number; readonly deleteTableMs?: number }): Server;
}
