// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

func limitMemory(uint64) {}
