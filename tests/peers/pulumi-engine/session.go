// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil/rpcerror"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// failure is an error of a call.
type failure struct {
	Message string `json:"message"`
	Code    string `json:"code,omitempty"`
	// Reasons for which a resource exists but is not complete.
	InitReasons []string `json:"initReasons,omitempty"`
	// What the engine says about the resource: 0 for OK, 1 for partial failure, 2 for unknown.
	Status int `json:"status,omitempty"`
}

func failureOf(err error) *failure {
	f := &failure{Message: err.Error()}
	var rpc *rpcerror.Error
	var init *plugin.InitError
	switch {
	case errors.As(err, &init):
		f.InitReasons = init.Reasons
	case errors.As(err, &rpc):
		f.Code = rpc.Code().String()
	default:
		if s, ok := status.FromError(err); ok && s.Code() != codes.Unknown {
			f.Code = s.Code().String()
		}
	}
	return f
}

// session is a started provider.
type session struct {
	context  *plugin.Context
	host     *engineHost
	provider plugin.Provider
}

func start(path string, onMessage func(message)) (*session, error) {
	host, err := newEngineHost(onMessage)
	if err != nil {
		return nil, err
	}
	sink := diag.DefaultSink(io.Discard, io.Discard, diag.FormatOptions{Color: colors.Never})
	pctx, err := plugin.NewContextWithHost(context.Background(), sink, sink, host, ".", ".", nil)
	if err != nil {
		return nil, err
	}
	provider, err := plugin.NewProviderFromPath(host, pctx, path)
	if err != nil {
		return nil, err
	}
	return &session{context: pctx, host: host, provider: provider}, nil
}

func (s *session) close() {
	_ = s.provider.Close()
	_ = s.context.Close()
	_ = s.host.Close()
}

func (s *session) answer(r request) response {
	call, known := calls[r.Call]
	if !known {
		return response{ID: r.ID, Error: &failure{Message: "no call " + r.Call}}
	}
	result, err := func() (result any, err error) {
		// The client asserts what it needs, and panics.
		defer func() {
			if reason := recover(); reason != nil {
				err = fmt.Errorf("the engine's client panicked: %v", reason)
			}
		}()
		return call(s.provider, r.Args)
	}()
	answer := response{ID: r.ID, OK: result}
	if err != nil {
		answer.Error = failureOf(err)
	}
	if answer.OK == nil && err == nil {
		answer.OK = struct{}{}
	}
	return answer
}

func decode[T any](args json.RawMessage) (T, error) {
	var value T
	if len(args) == 0 {
		return value, nil
	}
	return value, json.Unmarshal(args, &value)
}
