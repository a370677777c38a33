// SPDX-License-Identifier: Apache-2.0
// Preloaded into a provider. Writes the list of loaded modules to the file RECORDED_LOADS when the provider prints its handshake line,
// and to the same path with `.end` appended when the process exits.
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
