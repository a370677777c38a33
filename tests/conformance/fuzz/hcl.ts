// SPDX-License-Identifier: Apache-2.0
// Compares @tenon/hcl with the Go library on random sources: npm run fuzz -- hcl --cases 20000 [--seed 7] [--area bodies] [--only bodies:17]
import { fuzz } from "../hcl/fuzz.ts";

await fuzz();
