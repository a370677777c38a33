// SPDX-License-Identifier: Apache-2.0
// Holds @tenon/hcl against the Go library on made-up sources: npm run fuzz -- hcl --cases 20000 [--seed 7] [--area bodies] [--only bodies:17]
import { fuzz } from "../hcl/fuzz.ts";

await fuzz();
