// SPDX-License-Identifier: Apache-2.0
// Compares @tenon/cty's decoders with go-cty's on damaged JSON and msgpack: npm run fuzz -- cty-malformed --cases 20000
import { fuzz } from "../cty/fuzz.ts";

await fuzz("cty-malformed", ["malformed"], "verdict");
