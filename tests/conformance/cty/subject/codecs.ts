// SPDX-License-Identifier: Apache-2.0
import { convert } from "@tenon/cty/convert";
import * as json from "@tenon/cty/json";
import * as msgpack from "@tenon/cty/msgpack";
import type { ValueNotation } from "../notation.ts";
import type { Operations } from "./operation.ts";
import { readHex, readType, readValue } from "./read.ts";
import { writeHex, writeType, writeValue } from "./write.ts";

export const jsonOperations: Operations = {
  "json.marshal": (value, type) => json.encode(readValue(value as ValueNotation), readType(type!), { convert }),
  "json.unmarshal": (text, type) => writeValue(json.decode(text as string, readType(type!))),
  "json.unmarshalBytes": (bytes, type) => writeValue(json.decode(readHex(bytes!), readType(type!))),
  "json.impliedType": (text) => writeType(json.impliedType(text as string)),
};

export const msgpackOperations: Operations = {
  "msgpack.marshal": (value, type) => writeHex(msgpack.encode(readValue(value as ValueNotation), readType(type!), { convert })),
  "msgpack.impliedType": (bytes) => writeType(msgpack.impliedType(readHex(bytes!))),
  "msgpack.unmarshal": (bytes, type) => writeValue(msgpack.decode(readHex(bytes!), readType(type!))),
};
