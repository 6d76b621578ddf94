// SPDX-License-Identifier: Apache-2.0 OR MIT
"use strict";

// A failure that the library reports: code such as "RP_ERR_INPUT", reason: what is wrong, where, and what to do.
class RepriseError extends Error {
  constructor({ status, code, reason }) {
    super(`${code}: ${reason}`);
    this.name = "RepriseError";
    this.status = status;
    this.code = code;
    this.reason = reason;
  }
}

// What the native module throws or hands to a callback, as an error of this package.
function errorOf(thrown) {
  return thrown instanceof Error ? thrown : new RepriseError(thrown);
}

// A promise of call(callback(error, result)).
function promised(call) {
  return new Promise((resolve, reject) => {
    try {
      call((error, result) => (error ? reject(errorOf(error)) : resolve(result)));
    } catch (thrown) {
      reject(errorOf(thrown));
    }
  });
}

// The promise, or the signal's reason as soon as the signal is aborted; what the promise then does is of no interest.
function abortable(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const settle = (then) => (value) => {
      signal.removeEventListener("abort", abort);
      then(value);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(settle(resolve), settle(reject));
  });
}

module.exports = { RepriseError, abortable, errorOf, promised };
