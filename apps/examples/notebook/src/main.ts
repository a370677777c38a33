// SPDX-License-Identifier: Apache-2.0
// The provider is loaded after the handshake line is printed.
import { serve } from "@tenon/provider-sdk/serve";

await serve(() => import("./provider.ts"));
