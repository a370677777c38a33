// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

import "time"

var begun = time.Now()

// clock is the time that passes: there is no CPU time of a thread to be had.
func clock() time.Duration {
	return time.Since(begun)
}
