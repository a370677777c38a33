// SPDX-License-Identifier: Apache-2.0
// Serves the declared provider on provider-sdk; the environment names the file of the declaration.
import { serve } from "@tenon/provider-sdk/serve";

await serve(() => import("./served.ts"), { address: "registry.terraform.io/tenon/made" });
