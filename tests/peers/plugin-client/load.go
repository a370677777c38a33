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

// load is what a stretch of many calls came to.
type load struct {
	// InFlight is how many calls were under way at any time.
	InFlight int `json:"inFlight"`
	// Calls were answered, in Seconds.
	Calls   int64   `json:"calls"`
	Seconds float64 `json:"seconds"`
	// RequestBytes and AnswerBytes are the size of each message on the wire, before framing.
	RequestBytes int `json:"requestBytes"`
	AnswerBytes  int `json:"answerBytes"`
}

// planMethod is what is called; both versions number what is sent alike.
func planMethod(protocolVersion int) string {
	return fmt.Sprintf("/tfplugin%d.Provider/PlanResourceChange", protocolVersion)
}

// The sizes of planning a resource of seven attributes.
const (
	planRequestBytes = 549
	planAnswerBytes  = 264
)

// planRequest is a PlanResourceChange request: 1 type name, 2 prior state, 3 proposed state and 4 configuration, each of these with
// opaque bytes in its field 1.
func planRequest() []byte {
	request := protowire.AppendTag(nil, 1, protowire.BytesType)
	request = protowire.AppendString(request, "load_thing")
	for field, size := range map[protowire.Number]int{2: 170, 3: 170} {
		request = appendOpaque(request, field, size)
	}
	return padded(request, 4, planRequestBytes)
}

// planAnswer is the response to it: 1 planned state.
func planAnswer() []byte {
	return padded(nil, 1, planAnswerBytes)
}

func appendOpaque(message []byte, field protowire.Number, size int) []byte {
	value := protowire.AppendTag(nil, 1, protowire.BytesType)
	value = protowire.AppendBytes(value, bytes.Repeat([]byte{7}, size))
	message = protowire.AppendTag(message, field, protowire.BytesType)
	return protowire.AppendBytes(message, value)
}

// padded ends a message with opaque bytes in such a number that it gets the size.
func padded(message []byte, field protowire.Number, size int) []byte {
	for length := size - len(message); length > 0; length-- {
		if whole := appendOpaque(message, field, length); len(whole) == size {
			return whole
		}
	}
	panic("no message has that size")
}

// runLoad calls for as long as it is told to, so many at a time, and fails with the first call that fails.
func runLoad(on *grpc.ClientConn, protocolVersion int, duration time.Duration, inFlight int) (*load, error) {
	request := &emptypb.Empty{}
	request.ProtoReflect().SetUnknown(planRequest())
	method := planMethod(protocolVersion)
	var calls atomic.Int64
	var answerBytes atomic.Int64
	var failure atomic.Pointer[error]
	var group sync.WaitGroup
	began := time.Now()
	for range inFlight {
		group.Go(func() {
			for time.Since(began) < duration && failure.Load() == nil {
				var answer emptypb.Empty
				if err := on.Invoke(context.Background(), method, request, &answer); err != nil {
					failure.Store(&err)
					return
				}
				answerBytes.Store(int64(len(answer.ProtoReflect().GetUnknown())))
				calls.Add(1)
			}
		})
	}
	group.Wait()
	if err := failure.Load(); err != nil {
		return nil, fmt.Errorf("under load: %w", *err)
	}
	return &load{
		InFlight:     inFlight,
		Calls:        calls.Load(),
		Seconds:      time.Since(began).Seconds(),
		RequestBytes: planRequestBytes,
		AnswerBytes:  int(answerBytes.Load()),
	}, nil
}
