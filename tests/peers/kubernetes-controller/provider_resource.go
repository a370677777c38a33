// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// resource is a resource type of a configured provider.
type resource struct {
	on       *grpc.ClientConn
	service  protoreflect.ServiceDescriptor
	typeName string
	of       cty.Type
	// computed has the names of the attributes that the provider may set.
	computed map[string]bool
	version  int64
}

// remoteObject is a resource as the provider knows it.
type remoteObject struct {
	value   cty.Value
	private []byte
}

// plannedChange is a change that the provider has planned.
type plannedChange struct {
	prior   remoteObject
	config  cty.Value
	value   cty.Value
	private []byte
}

func newResource(on *grpc.ClientConn, typeName string) (*resource, error) {
	service, err := findService(6)
	if err != nil {
		return nil, err
	}
	known, err := readSchemas(on, service)
	if err != nil {
		return nil, err
	}
	block, err := known.block([]string{"resource_schemas", typeName})
	if err != nil {
		return nil, err
	}
	created := &resource{on: on, service: service, typeName: typeName, of: typeOfBlock(block), computed: map[string]bool{}}
	attributes := field(block, "attributes").List()
	for index := range attributes.Len() {
		attribute := attributes.Get(index).Message()
		created.computed[field(attribute, "name").String()] = field(attribute, "computed").Bool()
	}
	return created, created.configure(known)
}

// configure configures the provider with nothing set.
func (r *resource) configure(known *schemas) error {
	of := cty.EmptyObject
	if known.response.Has(known.response.Descriptor().Fields().ByName("provider")) {
		block, err := known.block([]string{"provider"})
		if err != nil {
			return err
		}
		of = typeOfBlock(block)
	}
	_, err := r.call(context.Background(), "ConfigureProvider", func(request protoreflect.Message) error {
		setText(request, "terraform_version", "1.12.6")
		return setValue(request, "config", objectOf(of, nil), of)
	})
	return err
}

// upgrade decodes a stored state, as a core does before it uses one.
func (r *resource) upgrade(ctx context.Context, state []byte, private []byte) (remoteObject, error) {
	response, err := r.call(ctx, "UpgradeResourceState", func(request protoreflect.Message) error {
		setText(request, "type_name", r.typeName)
		request.Set(fieldOf(request, "version"), protoreflect.ValueOfInt64(r.version))
		raw := request.Mutable(fieldOf(request, "raw_state")).Message()
		raw.Set(fieldOf(raw, "json"), protoreflect.ValueOfBytes(state))
		return nil
	})
	if err != nil {
		return remoteObject{}, err
	}
	value, err := r.valueOf(response, "upgraded_state")
	return remoteObject{value: value, private: private}, err
}

// read returns the current object; its value is null if it does not exist.
func (r *resource) read(ctx context.Context, object remoteObject) (remoteObject, error) {
	response, err := r.call(ctx, "ReadResource", func(request protoreflect.Message) error {
		setText(request, "type_name", r.typeName)
		setBytes(request, "private", object.private)
		return setValue(request, "current_state", object.value, r.of)
	})
	if err != nil {
		return remoteObject{}, err
	}
	value, err := r.valueOf(response, "new_state")
	return remoteObject{value: value, private: field(response, "private").Bytes()}, err
}

// plan validates a configuration and plans the change to it.
func (r *resource) plan(ctx context.Context, prior remoteObject, config cty.Value) (plannedChange, error) {
	_, err := r.call(ctx, "ValidateResourceConfig", func(request protoreflect.Message) error {
		setText(request, "type_name", r.typeName)
		return setValue(request, "config", config, r.of)
	})
	if err != nil {
		return plannedChange{}, err
	}
	response, err := r.call(ctx, "PlanResourceChange", func(request protoreflect.Message) error {
		setText(request, "type_name", r.typeName)
		setBytes(request, "prior_private", prior.private)
		return setValues(request, r.of, map[string]cty.Value{
			"prior_state":        prior.value,
			"proposed_new_state": r.proposed(prior.value, config),
			"config":             config,
		})
	})
	if err != nil {
		return plannedChange{}, err
	}
	value, err := r.valueOf(response, "planned_state")
	return plannedChange{prior: prior, config: config, value: value, private: field(response, "planned_private").Bytes()}, err
}

// planDestroy plans the deletion of an object.
func (r *resource) planDestroy(ctx context.Context, prior remoteObject) (plannedChange, error) {
	nothing := cty.NullVal(r.of)
	response, err := r.call(ctx, "PlanResourceChange", func(request protoreflect.Message) error {
		setText(request, "type_name", r.typeName)
		setBytes(request, "prior_private", prior.private)
		return setValues(request, r.of, map[string]cty.Value{"prior_state": prior.value, "proposed_new_state": nothing, "config": nothing})
	})
	if err != nil {
		return plannedChange{}, err
	}
	return plannedChange{prior: prior, config: nothing, value: nothing, private: field(response, "planned_private").Bytes()}, nil
}

func (r *resource) apply(ctx context.Context, planned plannedChange) (remoteObject, error) {
	response, err := r.call(ctx, "ApplyResourceChange", func(request protoreflect.Message) error {
		setText(request, "type_name", r.typeName)
		setBytes(request, "planned_private", planned.private)
		return setValues(request, r.of, map[string]cty.Value{
			"prior_state":   planned.prior.value,
			"planned_state": planned.value,
			"config":        planned.config,
		})
	})
	if err != nil {
		return remoteObject{}, err
	}
	value, err := r.valueOf(response, "new_state")
	return remoteObject{value: value, private: field(response, "private").Bytes()}, err
}

// proposed merges a configuration with the prior values of attributes that the provider may set.
func (r *resource) proposed(prior cty.Value, config cty.Value) cty.Value {
	members := config.AsValueMap()
	for name, value := range members {
		if !prior.IsNull() && value.IsNull() && r.computed[name] {
			members[name] = prior.GetAttr(name)
		}
	}
	return cty.ObjectVal(members)
}

// call makes a call, and returns an error for the errors among the diagnostics.
func (r *resource) call(ctx context.Context, name string, fill func(protoreflect.Message) error) (protoreflect.Message, error) {
	method := r.service.Methods().ByName(protoreflect.Name(name))
	input, err := generated(method.Input())
	if err != nil {
		return nil, err
	}
	output, err := generated(method.Output())
	if err != nil {
		return nil, err
	}
	request, response := input.New(), output.New()
	if err := fill(request); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	path := fmt.Sprintf("/%s/%s", r.service.FullName(), name)
	if err := r.on.Invoke(ctx, path, request.Interface(), response.Interface()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	diagnostics := field(response, "diagnostics").List()
	for index := range diagnostics.Len() {
		diagnostic := diagnostics.Get(index).Message()
		if field(diagnostic, "severity").Enum() == 1 {
			return nil, fmt.Errorf("%s: %s: %s", name, field(diagnostic, "summary").String(), field(diagnostic, "detail").String())
		}
	}
	return response, nil
}

func (r *resource) valueOf(response protoreflect.Message, name string) (cty.Value, error) {
	encoded := field(response, name).Message()
	if packed := field(encoded, "msgpack").Bytes(); len(packed) > 0 {
		return msgpack.Unmarshal(packed, r.of)
	}
	if text := field(encoded, "json").Bytes(); len(text) > 0 {
		return ctyjson.Unmarshal(text, r.of)
	}
	return cty.NullVal(r.of), nil
}

func fieldOf(message protoreflect.Message, name string) protoreflect.FieldDescriptor {
	return message.Descriptor().Fields().ByName(protoreflect.Name(name))
}

func setText(message protoreflect.Message, name string, text string) {
	message.Set(fieldOf(message, name), protoreflect.ValueOfString(text))
}

func setBytes(message protoreflect.Message, name string, bytes []byte) {
	if len(bytes) > 0 {
		message.Set(fieldOf(message, name), protoreflect.ValueOfBytes(bytes))
	}
}

func setValue(message protoreflect.Message, name string, value cty.Value, of cty.Type) error {
	packed, err := msgpack.Marshal(value, of)
	if err != nil {
		return err
	}
	encoded := message.Mutable(fieldOf(message, name)).Message()
	encoded.Set(fieldOf(encoded, "msgpack"), protoreflect.ValueOfBytes(packed))
	return nil
}

func setValues(message protoreflect.Message, of cty.Type, values map[string]cty.Value) error {
	for name, value := range values {
		if err := setValue(message, name, value, of); err != nil {
			return err
		}
	}
	return nil
}
