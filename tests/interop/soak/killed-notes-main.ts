// SPDX-License-Identifier: Apache-2.0
// Serves the provider of `killed-notes.ts`.
import { serve } from "@tenon/provider-sdk/serve";

await serve(() => import("./killed-notes.ts"));
