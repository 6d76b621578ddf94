// SPDX-License-Identifier: Apache-2.0 OR MIT
// When the package is installed: nothing to do where it contains a native module for this machine, else the module is
// compiled with the C compiler (CC, or cc) against an installed Reprise, which pkg-config finds.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");

function works(file) {
  try {
    require(file);
    return true;
  } catch {
    return false;
  }
}

function compile() {
  const words = (text) => text.split(/\s+/).filter(Boolean);
  const flags = (option) => words(execFileSync("pkg-config", [option, "reprise"], { encoding: "utf8" }));
  const library = execFileSync("pkg-config", ["--variable=libdir", "reprise"], { encoding: "utf8" }).trim();
  const sources = fs.readdirSync(path.join(__dirname, "src")).filter((file) => file.endsWith(".c"));
  const out = path.join(__dirname, "build");
  fs.mkdirSync(out, { recursive: true });
  const link = process.platform === "darwin" ? ["-bundle", "-undefined", "dynamic_lookup"] : ["-shared"];
  const headers = require("node-api-headers").include_dir;
  execFileSync(process.env.CC || "cc", ["-std=c17", "-O2", "-fPIC", ...link, "-o", path.join(out, "reprise.node"),
    "-I", headers, ...flags("--cflags"),
    ...sources.map((file) => path.join(__dirname, "src", file)), ...flags("--libs"), `-Wl,-rpath,${library}`],
  { stdio: "inherit" });
}

if (!works(path.join(__dirname, "prebuilds", `${process.platform}-${process.arch}`, "reprise.node"))) {
  try {
    compile();
  } catch (error) {
    console.error(`reprise-prover: there is no native module for ${process.platform} ${process.arch} here, and it ` +
      ` could not be compiled: ${error.message}. It needs a C compiler, pkg-config, and an installed Reprise.`);
    process.exit(1);
  }
}
