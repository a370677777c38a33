// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import "syscall"

// limitMemory lets a case that asks for far too much memory end this process instead of its machine: bytes that announce
// four billion elements are allocated for before they are read.
func limitMemory(bytes uint64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: bytes, Max: bytes})
}
