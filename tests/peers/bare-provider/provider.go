// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// bareProvider plans the proposed state, applies the planned state and reads the current state.
type bareProvider struct {
	unimplementedProvider
	schemas *tfprotov6.GetProviderSchemaResponse
	logger  hclog.Logger
}

var _ tfprotov6.ProviderServerWithListResource = (*bareProvider)(nil)

func (p *bareProvider) GetMetadata(context.Context, *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	response := &tfprotov6.GetMetadataResponse{
		ServerCapabilities: p.schemas.ServerCapabilities,
		ListResources:      []tfprotov6.ListResourceMetadata{{TypeName: noteType}},
	}
	for name := range p.schemas.ResourceSchemas {
		response.Resources = append(response.Resources, tfprotov6.ResourceMetadata{TypeName: name})
	}
	return response, nil
}

func (p *bareProvider) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return p.schemas, nil
}

func (p *bareProvider) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{
		IdentitySchemas: map[string]*tfprotov6.ResourceIdentitySchema{noteType: noteIdentity()},
	}, nil
}

func (p *bareProvider) ValidateProviderConfig(_ context.Context, request *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: request.Config}, nil
}

func (p *bareProvider) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (p *bareProvider) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

func (p *bareProvider) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

// UpgradeResourceState returns the state unchanged: there is only one schema version.
func (p *bareProvider) UpgradeResourceState(_ context.Context, request *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: request.RawState.JSON}}, nil
}

func (p *bareProvider) ReadResource(_ context.Context, request *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{NewState: request.CurrentState, Private: request.Private, NewIdentity: request.CurrentIdentity}, nil
}

func (p *bareProvider) PlanResourceChange(_ context.Context, request *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    request.ProposedNewState,
		PlannedPrivate:  request.PriorPrivate,
		PlannedIdentity: request.PriorIdentity,
	}, nil
}

// ApplyResourceChange replaces every unknown value, because a core rejects a new state with unknown values.
func (p *bareProvider) ApplyResourceChange(_ context.Context, request *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	schema, exists := p.schemas.ResourceSchemas[request.TypeName]
	if !exists {
		return nil, fmt.Errorf("there is no resource type %s", request.TypeName)
	}
	of := schema.ValueType()
	planned, err := request.PlannedState.Unmarshal(of)
	if err != nil {
		return nil, err
	}
	applied, err := tftypes.Transform(planned, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		return knownValue(value), nil
	})
	if err != nil {
		return nil, err
	}
	state, err := tfprotov6.NewDynamicValue(of, applied)
	if err != nil {
		return nil, err
	}
	return &tfprotov6.ApplyResourceChangeResponse{NewState: &state, Private: request.PlannedPrivate, NewIdentity: request.PlannedIdentity}, nil
}

// knownValue replaces an unknown value by a generated one.
func knownValue(value tftypes.Value) tftypes.Value {
	switch {
	case value.IsKnown():
		return value
	case value.Type().Is(tftypes.String):
		return tftypes.NewValue(tftypes.String, "computed")
	case value.Type().Is(tftypes.Number):
		return tftypes.NewValue(tftypes.Number, 1)
	case value.Type().Is(tftypes.Bool):
		return tftypes.NewValue(tftypes.Bool, false)
	default:
		return tftypes.NewValue(value.Type(), nil)
	}
}
