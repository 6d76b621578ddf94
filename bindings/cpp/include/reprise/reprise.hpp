// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Reprise for C++17, header only: the C interface with RAII, spans, operators and fluent options. Link the library.
//
// Rules
//  - An object owns what it was created with and frees it; it can be moved and not copied. get() is the C handle, for
//    calls that have nothing here: the C headers are included, and their contracts hold.
//  - Errors: a call throws reprise::Exception, or, if its last argument is the address of a reprise::Error, sets that
//    and returns an empty object. An Error that is set stays, and calls that are given it do nothing, so that several
//    calls need one check in the end; `error = {}` begins anew. Without exceptions (-fno-exceptions) the address is
//    needed: a failure without it ends the process. A graph keeps its first error, and recording it reports that error.
//  - Option classes are the C structs with struct_size set, and have a function for each member:
//    NttOptions().root(RP_ROOT_SNARKJS).inverse().
//  - Destruction in any order is safe for contexts, devices, graphs, keys and provers. A run ends before its recording.
#ifndef REPRISE_REPRISE_HPP
#define REPRISE_REPRISE_HPP

#include <reprise/cpp/core.hpp>
#include <reprise/cpp/device.hpp>
#include <reprise/cpp/graph.hpp>
#include <reprise/cpp/groth16.hpp>
#include <reprise/cpp/operations.hpp>
#include <reprise/cpp/plonk.hpp>
#include <reprise/cpp/recording.hpp>
#include <reprise/cpp/subgraph.hpp>

#endif
