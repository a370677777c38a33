// SPDX-License-Identifier: Apache-2.0
// Preloaded into a provider: when the handshake line goes out, writes what has been loaded until then to RECORDED_LOADS; and what has
// been loaded at the end to the same with `.end`.
const fs = require("node:fs");
const { registerHooks, syncBuiltinESMExports } = require("node:module");

const files = [];
registerHooks({
  load(url, context, nextLoad) {
    files.push(url);
    return nextLoad(url, context);
  },
});

const recorded = process.env.RECORDED_LOADS;
const record = (path) => fs.writeFileSync(path, JSON.stringify({ files, own: process.moduleLoadList }));
process.on("exit", () => record(`${recorded}.end`));

const { writeSync } = fs;
fs.writeSync = (fileDescriptor, data, ...rest) => {
  if (Buffer.from(data).toString("latin1").startsWith("1|")) {
    record(recorded);
  }
  return writeSync(fileDescriptor, data, ...rest);
};
syncBuiltinESMExports();
