// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/diag"
	"github.com/pulumi/pulumi/sdk/v3/go/common/env"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// message is what a provider wants the user to see.
type message struct {
	Severity string `json:"severity"`
	URN      string `json:"urn,omitempty"`
	Text     string `json:"text"`
}

// engineHost serves the part of the engine that a provider calls.
type engineHost struct {
	address   string
	stop      chan bool
	onMessage func(message)
}

func newEngineHost(onMessage func(message)) (*engineHost, error) {
	host := &engineHost{stop: make(chan bool), onMessage: onMessage}
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Cancel: host.stop,
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterEngineServer(server, &engineServer{onMessage: onMessage})
			return nil
		},
	})
	if err != nil {
		return nil, err
	}
	host.address = fmt.Sprintf("127.0.0.1:%d", handle.Port)
	return host, nil
}

var errNotServed = errors.New("this host starts no other plugins")

func (h *engineHost) Log(sev diag.Severity, urn resource.URN, msg string, _ int32) {
	h.onMessage(message{Severity: string(sev), URN: string(urn), Text: msg})
}

func (h *engineHost) ServerAddr() string { return h.address }

func (h *engineHost) LogStatus(sev diag.Severity, urn resource.URN, msg string, stream int32) {
	h.Log(sev, urn, msg, stream)
}

func (h *engineHost) Analyzer(*plugin.Context, tokens.QName) (plugin.Analyzer, error) {
	return nil, errNotServed
}

func (h *engineHost) PolicyAnalyzer(
	*plugin.Context, tokens.QName, string, *plugin.PolicyAnalyzerOptions,
) (plugin.Analyzer, error) {
	return nil, errNotServed
}

func (h *engineHost) Provider(*plugin.Context, workspace.PluginDescriptor, env.Env) (plugin.Provider, error) {
	return nil, errNotServed
}

func (h *engineHost) LanguageRuntime(*plugin.Context, string) (plugin.LanguageRuntime, error) {
	return nil, errNotServed
}

func (h *engineHost) ResolvePlugin(*plugin.Context, workspace.PluginDescriptor) (*workspace.PluginInfo, error) {
	return nil, errNotServed
}

func (h *engineHost) ReleaseContext(*plugin.Context) error                 { return nil }
func (h *engineHost) Loader(*plugin.Context) (*plugin.GrpcServer, error)   { return nil, nil }
func (h *engineHost) Mapper(*plugin.Context) (*plugin.GrpcServer, error)   { return nil, nil }
func (h *engineHost) Resolver(*plugin.Context) (*plugin.GrpcServer, error) { return nil, nil }
func (h *engineHost) SignalCancellation() error                            { return nil }
func (h *engineHost) StartDebugging(plugin.DebuggingInfo) error            { return nil }
func (h *engineHost) AttachDebugger(plugin.DebugSpec) bool                 { return false }

func (h *engineHost) Close() error {
	close(h.stop)
	return nil
}

var _ plugin.Host = (*engineHost)(nil)

// engineServer serves the engine's RPCs. It is not the host, because both have a method Log.
type engineServer struct {
	pulumirpc.UnimplementedEngineServer
	onMessage func(message)
}

func (e *engineServer) Log(_ context.Context, req *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	e.onMessage(message{Severity: strings.ToLower(req.Severity.String()), URN: req.Urn, Text: req.Message})
	return &emptypb.Empty{}, nil
}
