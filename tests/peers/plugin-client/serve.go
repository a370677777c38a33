// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// servedPlugin is a provider of protocol 6 that has nothing but the wire: an empty schema, and plans that are always the same. What
// it takes to answer a call is what go-plugin and gRPC for Go take.
type servedPlugin struct {
	plugin.NetRPCUnsupportedPlugin
}

func (servedPlugin) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}

func (servedPlugin) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "tfplugin6.Provider",
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{
			fixedAnswer("GetProviderSchema", nil),
			fixedAnswer("PlanResourceChange", planAnswer()),
		},
	}, servedPlugin{})
	return nil
}

// fixedAnswer needs no generated code: a message without fields keeps what it does not know as it came.
func fixedAnswer(method string, bytes []byte) grpc.MethodDesc {
	answer := &emptypb.Empty{}
	answer.ProtoReflect().SetUnknown(bytes)
	return grpc.MethodDesc{
		MethodName: method,
		Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var request emptypb.Empty
			return answer, decode(&request)
		},
	}
}

// serve is what a host launches.
func serve() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  handshake,
		VersionedPlugins: map[int]plugin.PluginSet{6: {pluginName: servedPlugin{}}},
		GRPCServer:       plugin.DefaultGRPCServer,
		Logger:           hclog.NewNullLogger(),
	})
}
