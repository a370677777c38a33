// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/emptypb"
)

// load is the result of many calls of one RPC.
type load struct {
	// InFlight is the number of concurrent calls.
	InFlight int `json:"inFlight"`
	// Calls is the number of calls with a response, in Seconds.
	Calls   int64   `json:"calls"`
	Seconds float64 `json:"seconds"`
	// RequestBytes and ResponseBytes are the sizes of one request and one response on the wire, before framing.
	RequestBytes  int `json:"requestBytes"`
	ResponseBytes int `json:"responseBytes"`
}

// planMethod returns the path of the RPC; both versions have the same field numbers in its messages.
func planMethod(protocolVersion int) string {
	return fmt.Sprintf("/tfplugin%d.Provider/PlanResourceChange", protocolVersion)
}

// The sizes of the messages that plan a resource of seven attributes.
const (
	planRequestBytes  = 549
	planResponseBytes = 264
)

// planRequest returns a PlanResourceChange request with the fields 1 type name, 2 prior state, 3 proposed state and 4 configuration. Each
// value has opaque bytes in its field 1.
func planRequest() []byte {
	request := protowire.AppendTag(nil, 1, protowire.BytesType)
	request = protowire.AppendString(request, "load_thing")
	for field, size := range map[protowire.Number]int{2: 170, 3: 170} {
		request = appendOpaque(request, field, size)
	}
	return padToSize(request, 4, planRequestBytes)
}

// planResponse returns the response, with the field 1 planned state.
func planResponse() []byte {
	return padToSize(nil, 1, planResponseBytes)
}

func appendOpaque(message []byte, field protowire.Number, size int) []byte {
	value := protowire.AppendTag(nil, 1, protowire.BytesType)
	value = protowire.AppendBytes(value, bytes.Repeat([]byte{7}, size))
	message = protowire.AppendTag(message, field, protowire.BytesType)
	return protowire.AppendBytes(message, value)
}

// padToSize appends a field of opaque bytes, so that the message has the given size.
func padToSize(message []byte, field protowire.Number, size int) []byte {
	for length := size - len(message); length > 0; length-- {
		if complete := appendOpaque(message, field, length); len(complete) == size {
			return complete
		}
	}
	panic("no message has that size")
}

// runLoad calls for the given time with the given number of concurrent calls; it stops at the first failed call.
func runLoad(on *grpc.ClientConn, protocolVersion int, duration time.Duration, inFlight int) (*load, error) {
	request := &emptypb.Empty{}
	request.ProtoReflect().SetUnknown(planRequest())
	method := planMethod(protocolVersion)
	var calls atomic.Int64
	var responseBytes atomic.Int64
	var failure atomic.Pointer[error]
	var group sync.WaitGroup
	start := time.Now()
	for range inFlight {
		group.Go(func() {
			for time.Since(start) < duration && failure.Load() == nil {
				var response emptypb.Empty
				if err := on.Invoke(context.Background(), method, request, &response); err != nil {
					failure.Store(&err)
					return
				}
				responseBytes.Store(int64(len(response.ProtoReflect().GetUnknown())))
				calls.Add(1)
			}
		})
	}
	group.Wait()
	if err := failure.Load(); err != nil {
		return nil, fmt.Errorf("under load: %w", *err)
	}
	return &load{
		InFlight:      inFlight,
		Calls:         calls.Load(),
		Seconds:       time.Since(start).Seconds(),
		RequestBytes:  planRequestBytes,
		ResponseBytes: int(responseBytes.Load()),
	}, nil
}
