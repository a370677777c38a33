// SPDX-License-Identifier: Apache-2.0
// Compares @tenon/cty with go-cty on random cases: npm run fuzz -- cty --cases 20000 [--seed 7] [--area numbers] [--only numbers:17]
import { fuzz } from "../cty/fuzz.ts";

await fuzz("cty", ["values", "convert", "functions", "json", "msgpack", "numbers"]);
