// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// servedPlugin is a minimal provider of protocol 6: an empty schema, and a constant plan. The time of a call is the time that go-plugin
// and gRPC for Go take.
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
			fixedResponse("GetProviderSchema", nil),
			fixedResponse("PlanResourceChange", planResponse()),
		},
	}, servedPlugin{})
	return nil
}

// fixedResponse needs no generated code: a message without fields keeps all fields as unknown bytes.
func fixedResponse(method string, bytes []byte) grpc.MethodDesc {
	response := &emptypb.Empty{}
	response.ProtoReflect().SetUnknown(bytes)
	return grpc.MethodDesc{
		MethodName: method,
		Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var request emptypb.Empty
			return response, decode(&request)
		},
	}
}

// serve serves the plugin to the host that launched it.
func serve() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  handshake,
		VersionedPlugins: map[int]plugin.PluginSet{6: {pluginName: servedPlugin{}}},
		GRPCServer:       plugin.DefaultGRPCServer,
		Logger:           hclog.NewNullLogger(),
	})
}
