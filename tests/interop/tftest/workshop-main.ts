// SPDX-License-Identifier: Apache-2.0
import { serve } from "@tenon/provider-sdk/serve";

await serve(() => import("./workshop.ts"));
