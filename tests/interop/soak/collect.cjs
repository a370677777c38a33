// SPDX-License-Identifier: Apache-2.0
// Preloaded into a provider: on SIGUSR2 it runs full garbage collections and writes the memory usage to a file.
const { writeFileSync, renameSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

const file = process.env.TENON_MEMORY_FILE;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
writeFileSync(`${file}.pid`, String(process.pid));

process.on("SIGUSR2", async () => {
  // A further collection frees the objects that finalizers released.
  for (let round = 0; round < 4; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.new`, file);
});
