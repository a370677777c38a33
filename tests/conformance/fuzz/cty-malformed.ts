// SPDX-License-Identifier: Apache-2.0
// Gives @tenon/cty's decoders damaged JSON and msgpack, and compares what they say with go-cty: npm run fuzz -- cty-malformed --cases 20000
import { fuzz } from "../cty/fuzz.ts";

await fuzz("cty-malformed", ["malformed"], "verdict");
