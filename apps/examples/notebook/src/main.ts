// SPDX-License-Identifier: Apache-2.0
// Loads nothing of the provider before the handshake line is out.
import { serve } from "@tenon/provider-sdk/serve";

await serve(() => import("./provider.ts"));
