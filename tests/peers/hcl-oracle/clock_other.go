// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

import "time"

var started = time.Now()

// clock returns the elapsed time: these systems do not report the CPU time of a thread.
func clock() time.Duration { return time.Since(started) }
