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

// step is one step of a script: an RPC to call repeatedly with the same request.
type step struct {
	Name string `json:"name"`
	// RPC is the RPC's name in the protocol.
	RPC string `json:"rpc"`
	// Request is the encoded message; base64 in JSON.
	Request []byte `json:"request"`
	// InFlight is the number of concurrent calls. Default: 1.
	InFlight int `json:"inFlight"`
	// Calls is the number of calls; if it is zero, Seconds limits the step.
	Calls int64 `json:"calls"`
	// Seconds is the time to call for. Warmup is the time of earlier calls that do not count.
	Seconds float64 `json:"seconds"`
	Warmup  float64 `json:"warmup"`
	// SameLength is whether every response must be as long as the first. Go's providers write maps in random order.
	SameLength bool `json:"sameLength"`
}

// stepReport is the result of a step.
type stepReport struct {
	Name string `json:"name"`
	// Calls is the number of calls with a response, in Seconds.
	Calls   int64   `json:"calls"`
	Seconds float64 `json:"seconds"`
	// Response is the response to the first call.
	Response []byte `json:"response"`
	// ProviderCPU is the CPU time of the provider during the step, in seconds; ResidentKiB is its resident memory after the last call.
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

// runScript runs the steps of a script; it stops at the first failed call.
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
		var response emptypb.Empty
		err := on.Invoke(context.Background(), method, request, &response, grpc.MaxCallRecvMsgSize(largestSchema))
		return response.ProtoReflect().GetUnknown(), err
	}
	report := stepReport{Name: step.Name}
	var err error
	if report.Response, err = call(); err != nil {
		return report, err
	}
	inFlight := max(step.InFlight, 1)
	// The first call counts as one of the calls.
	remaining := step.Calls - 1
	repeat := func(hasNext func() bool) (int64, error) {
		var calls atomic.Int64
		var failure atomic.Pointer[error]
		var group sync.WaitGroup
		for range inFlight {
			group.Go(func() {
				for failure.Load() == nil && hasNext() {
					response, err := call()
					if err == nil && step.SameLength && len(response) != len(report.Response) {
						err = fmt.Errorf("a response has %d bytes, the first had %d", len(response), len(report.Response))
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
		if _, err := repeat(until(step.Warmup)); err != nil {
			return report, err
		}
	}
	before, start := providerCPU(pid), time.Now()
	if step.Calls > 0 {
		var started atomic.Int64
		report.Calls, err = repeat(func() bool { return started.Add(1) <= remaining })
		report.Calls++
	} else {
		report.Calls, err = repeat(until(step.Seconds))
	}
	report.Seconds = time.Since(start).Seconds()
	report.ProviderCPU = providerCPU(pid) - before
	report.ResidentKiB = residentKiB(pid)
	return report, err
}

// ticksPerSecond is the unit of CPU time in /proc, regardless of the kernel's own clock.
const ticksPerSecond = 100

// providerCPU returns 0 on systems without /proc.
func providerCPU(pid int) float64 {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The command's name, in brackets, may have any characters; user and system time are the 12th and 13th field after it.
	fields := strings.Fields(string(content[bytes.LastIndexByte(content, ')')+1:]))
	var ticks float64
	for _, field := range fields[11:13] {
		if number, err := strconv.ParseFloat(field, 64); err == nil {
			ticks += number
		}
	}
	return ticks / ticksPerSecond
}

// residentKiB returns 0 on systems without /proc.
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
