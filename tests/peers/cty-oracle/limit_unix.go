// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import "syscall"

// limitMemory limits the address space, so that a case that needs too much memory ends this process and does not exhaust the machine:
// for a msgpack header that declares four billion elements, go-cty allocates the memory before it reads the elements.
func limitMemory(bytes uint64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: bytes, Max: bytes})
}
