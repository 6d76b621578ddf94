// SPDX-License-Identifier: Apache-2.0 OR MIT
// The native module: built for this machine when the package was installed, or delivered with it.
"use strict";
const path = require("path");
const here = path.join(__dirname, "..");

function load() {
  const places = [
    path.join(here, "build", "reprise.node"),
    path.join(here, "prebuilds", `${process.platform}-${process.arch}`, "reprise.node"),
  ];
  const reasons = [];
  for (const place of places) {
    try {
      return require(place);
    } catch (error) {
      reasons.push(error.message.split("\n")[0]);
    }
  }
  throw new Error(`reprise-prover has no native module for ${process.platform} ${process.arch}. Install Reprise's ` +
    `library and headers and a C compiler, then run "npm rebuild reprise-prover". ${reasons.join("; ")}`);
}

module.exports = load();
