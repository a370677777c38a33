// SPDX-License-Identifier: Apache-2.0
// Preloaded into a provider: when the handshake line goes out, writes what has been loaded until then to RECORDED_LOADS.
const fs = require("node:fs");
const { registerHooks, syncBuiltinESMExports } = require("node:module");

const files = [];
registerHooks({
  load(url, context, nextLoad) {
    files.push(url);
    return nextLoad(url, context);
  },
});

const { writeSync } = fs;
fs.writeSync = (fileDescriptor, data, ...rest) => {
  if (Buffer.from(data).toString("latin1").startsWith("1|")) {
    fs.writeFileSync(process.env.RECORDED_LOADS, JSON.stringify({ files, own: process.moduleLoadList }));
  }
  return writeSync(fileDescriptor, data, ...rest);
};
syncBuiltinESMExports();
