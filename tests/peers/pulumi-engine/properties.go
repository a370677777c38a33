// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"google.golang.org/protobuf/types/known/structpb"
)

// properties are read and written with the engine's serialisers, in the notation of the wire.
type properties struct {
	Map resource.PropertyMap
}

var keepAll = plugin.MarshalOptions{
	Label: "properties", KeepUnknowns: true, KeepSecrets: true, KeepResources: true, KeepOutputValues: true, KeepByteString: true,
}

func (p *properties) UnmarshalJSON(text []byte) error {
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		return err
	}
	wire, err := structpb.NewStruct(fields)
	if err != nil {
		return err
	}
	p.Map, err = plugin.UnmarshalProperties(wire, keepAll)
	return err
}

// orEmpty are the properties, which the client requires not to be nil.
func (p properties) orEmpty() resource.PropertyMap {
	if p.Map == nil {
		return resource.PropertyMap{}
	}
	return p.Map
}

func written(m resource.PropertyMap) (any, error) {
	if m == nil {
		return nil, nil
	}
	wire, err := plugin.MarshalProperties(m, keepAll)
	if err != nil {
		return nil, err
	}
	return wire.AsMap(), nil
}
