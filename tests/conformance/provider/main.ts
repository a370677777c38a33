// SPDX-License-Identifier: Apache-2.0
// Our half of the comparison, as a process of its own: what it serves stands in the file that the environment names.
import { serve } from "@tenon/provider-sdk/serve";

await serve(() => import("./served.ts"), { address: "registry.terraform.io/tenon/made" });
