#!/usr/bin/env node
// Starts the program that came with the package of this platform.
"use strict";

const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const suffix = process.platform === "win32" ? ".exe" : "";

let program;
try {
  program = require.resolve(`portolan-mcp-${platform}/bin/portolan${suffix}`);
} catch {
  console.error(
    `error: there is no portolan-mcp-${platform} here. Install again without --omit=optional, ` +
      "or build Portolan from its sources if this platform has no package.",
  );
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: cannot start ${program}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
