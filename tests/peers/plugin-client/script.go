// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// step is one thing to do with a provider that runs: an RPC to call again and again with the same request. A script is a list of them.
type step struct {
	Name string `json:"name"`
	// RPC as the protocol names it.
	RPC string `json:"rpc"`
	// Request is the message's bytes; in JSON, base64.
	Request []byte `json:"request"`
	// InFlight is how many calls are under way at any time. Default: one.
	InFlight int `json:"inFlight"`
	// Calls are made in all; or, where this is zero, as many as go into the time.
	Calls int64 `json:"calls"`
	// Seconds to call for, and before that without counting.
	Seconds float64 `json:"seconds"`
	Warmup  float64 `json:"warmup"`
	// SameLength: every answer must be as long as the first. Go's providers write maps in any order.
	SameLength bool `json:"sameLength"`
}

// stepReport is what a step came to.
type stepReport struct {
	Name string `json:"name"`
	// Calls were answered in Seconds.
	Calls   int64   `json:"calls"`
	Seconds float64 `json:"seconds"`
	// Answer is that to the first call.
	Answer []byte `json:"answer"`
	// ProviderCPU is the processor time that the provider took meanwhile, in seconds; ResidentKiB its memory after the last call.
	ProviderCPU float64 `json:"providerCpu"`
	ResidentKiB int64   `json:"residentKiB"`
}

func readScript(path string) ([]step, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var script []step
	if err := json.Unmarshal(content, &script); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return script, nil
}

// runScript follows a script, and fails with the first call that fails.
func runScript(on *grpc.ClientConn, protocolVersion, pid int, script []step) ([]stepReport, error) {
	var reports []stepReport
	for _, step := range script {
		report, err := runStep(on, protocolVersion, pid, step)
		if err != nil {
			return reports, fmt.Errorf("step %s: %w", step.Name, err)
		}
		reports = append(reports, report)
	}
	return reports, nil
}

func runStep(on *grpc.ClientConn, protocolVersion, pid int, step step) (stepReport, error) {
	method := fmt.Sprintf("/tfplugin%d.Provider/%s", protocolVersion, step.RPC)
	request := &emptypb.Empty{}
	request.ProtoReflect().SetUnknown(step.Request)
	call := func() ([]byte, error) {
		var answer emptypb.Empty
		err := on.Invoke(context.Background(), method, request, &answer, grpc.MaxCallRecvMsgSize(largestSchema))
		return answer.ProtoReflect().GetUnknown(), err
	}
	report := stepReport{Name: step.Name}
	var err error
	if report.Answer, err = call(); err != nil {
		return report, err
	}
	inFlight := max(step.InFlight, 1)
	// The first call counts.
	remaining := step.Calls - 1
	stretch := func(goesOn func() bool) (int64, error) {
		var calls atomic.Int64
		var failure atomic.Pointer[error]
		var group sync.WaitGroup
		for range inFlight {
			group.Go(func() {
				for failure.Load() == nil && goesOn() {
					answer, err := call()
					if err == nil && step.SameLength && len(answer) != len(report.Answer) {
						err = fmt.Errorf("an answer has %d bytes, the first had %d", len(answer), len(report.Answer))
					}
					if err != nil {
						failure.Store(&err)
						return
					}
					calls.Add(1)
				}
			})
		}
		group.Wait()
		if err := failure.Load(); err != nil {
			return calls.Load(), *err
		}
		return calls.Load(), nil
	}
	until := func(seconds float64) func() bool {
		end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
		return func() bool { return time.Now().Before(end) }
	}
	if step.Warmup > 0 {
		if _, err := stretch(until(step.Warmup)); err != nil {
			return report, err
		}
	}
	before, began := providerCPU(pid), time.Now()
	if step.Calls > 0 {
		var taken atomic.Int64
		report.Calls, err = stretch(func() bool { return taken.Add(1) <= remaining })
		report.Calls++
	} else {
		report.Calls, err = stretch(until(step.Seconds))
	}
	report.Seconds = time.Since(began).Seconds()
	report.ProviderCPU = providerCPU(pid) - before
	report.ResidentKiB = residentKiB(pid)
	return report, err
}

// ticksPerSecond is how the kernel counts processor time, whatever its own clock.
const ticksPerSecond = 100

// providerCPU is zero where there is no /proc.
func providerCPU(pid int) float64 {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The command's name, in brackets, may hold anything; user and system time are the 12th and 13th field after it.
	fields := strings.Fields(string(content[bytes.LastIndexByte(content, ')')+1:]))
	var ticks float64
	for _, field := range fields[11:13] {
		if number, err := strconv.ParseFloat(field, 64); err == nil {
			ticks += number
		}
	}
	return ticks / ticksPerSecond
}

// residentKiB is zero where there is no /proc.
func residentKiB(pid int) int64 {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(content)) {
		if text, found := strings.CutPrefix(line, "VmRSS:"); found {
			number, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "kB")), 10, 64)
			return number
		}
	}
	return 0
}
