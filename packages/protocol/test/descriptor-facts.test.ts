// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { file_plugin_grpc_broker } from "../src/gen/plugin/grpc_broker_pb.ts";
import { file_plugin_grpc_controller } from "../src/gen/plugin/grpc_controller_pb.ts";
import { file_plugin_grpc_stdio } from "../src/gen/plugin/grpc_stdio_pb.ts";
import { file_tfplugin5 } from "../src/gen/tfplugin5_pb.ts";
import { file_tfplugin6 } from "../src/gen/tfplugin6_pb.ts";
import { type Facts, factsOf } from "./descriptor-facts.ts";

test.for([
  { name: "tfplugin5", files: [file_tfplugin5] },
  { name: "tfplugin6", files: [file_tfplugin6] },
  { name: "go-plugin", files: [file_plugin_grpc_broker, file_plugin_grpc_controller, file_plugin_grpc_stdio] },
])("the descriptors of $name match the protocol", ({ name, files }, { expect }) => {
  const facts = JSON.parse(readFileSync(join(import.meta.dirname, "facts", `${name}.json`), "utf8")) as Facts;
  expect(factsOf(files)).toEqual(facts);
});
