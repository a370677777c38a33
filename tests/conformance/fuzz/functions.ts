// SPDX-License-Identifier: Apache-2.0
// Compares the engine's functions with OpenTofu's on random calls: npm run fuzz -- functions --cases 20000 [--seed 7] [--only opentofu:17]
import { fuzz } from "../cty/fuzz.ts";

await fuzz("functions", ["opentofu"], "words", "engine-oracle");
