// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

// cpuSeconds and residentKiB return 0: their source exists on Linux only.
func cpuSeconds() float64 { return 0 }

func residentKiB() int64 { return 0 }
