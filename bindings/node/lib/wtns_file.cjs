// SPDX-License-Identifier: Apache-2.0 OR MIT
"use strict";

// The bytes of a .wtns file, version 2: one section with the prime and the number of values, one with the values, as
// little-endian integers of as many bytes as the prime has, rounded up to a multiple of 8.
function wtnsFile(prime, values) {
  const bytes = Math.ceil(prime.toString(2).length / 64) * 8;
  if (values.length % bytes !== 0) throw new Error("the witness is no whole number of values");
  const head = Buffer.alloc(4 + 4 + 4 + 12 + 4 + bytes + 4 + 12);
  let at = head.write("wtns", "latin1");
  const number = (value) => (at = head.writeUInt32LE(value, at));
  const section = (id, length) => number(id) && (at = head.writeBigUInt64LE(BigInt(length), at));
  number(2); // the version
  number(2); // sections
  section(1, 4 + bytes + 4);
  number(bytes);
  for (let rest = prime, i = 0; i < bytes; i++, rest >>= 8n) at = head.writeUInt8(Number(rest & 255n), at);
  number(values.length / bytes);
  section(2, values.length);
  const file = new Uint8Array(head.length + values.length);
  file.set(head);
  file.set(values, head.length);
  return file;
}

module.exports = { wtnsFile };
