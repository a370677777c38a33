// SPDX-License-Identifier: Apache-2.0
// Preloaded into a provider: on SIGUSR2 it collects garbage, all there is, and writes down what memory is left.
const { writeFileSync, renameSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

const file = process.env.TENON_MEMORY_FILE;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
writeFileSync(`${file}.pid`, String(process.pid));

process.on("SIGUSR2", async () => {
  // What finalizers let go of is garbage of the next round.
  for (let round = 0; round < 4; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.new`, file);
});
