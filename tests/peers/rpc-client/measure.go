// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// measurement describes a measurement: one change, planned repeatedly. `npm run bench -- host` makes the same plan with our host.
type measurement struct {
	// TypeName and the values, in msgpack, are those of the request.
	TypeName         string `json:"typeName"`
	PriorState       []byte `json:"priorState"`
	ProposedNewState []byte `json:"proposedNewState"`
	Config           []byte `json:"config"`
	// Plain is whether the request is encoded once in advance, and the values in the response are not decoded.
	Plain bool `json:"plain"`
	// InFlight is the number of concurrent calls.
	InFlight int `json:"inFlight"`
	// Seconds is the time to call for; if Calls is not zero, Calls is the number of calls instead. Warmup is the number of earlier calls that do not count.
	Seconds float64 `json:"seconds"`
	Calls   int64   `json:"calls"`
	Warmup  int64   `json:"warmup"`
}

// measured is the result of the measurement.
type measured struct {
	// FirstSchemaMs is the time from launch until the types of the first schema are known.
	FirstSchemaMs float64 `json:"firstSchemaMs"`
	// Calls is the number of calls with a response in Seconds; CPUSeconds is the CPU time of this process meanwhile.
	Calls      int64   `json:"calls"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	// ResidentKiB is the resident memory of this process after the calls.
	ResidentKiB int64 `json:"residentKiB"`
	// PlannedState is the planned value of the first call, in msgpack.
	PlannedState []byte `json:"plannedState"`
}

func printMeasured(to io.Writer, protocol int, command []string, path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var settings measurement
	if err := json.Unmarshal(content, &settings); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	result, err := measure(protocol, command, settings)
	if err != nil {
		return err
	}
	return json.NewEncoder(to).Encode(result)
}

func measure(protocol int, command []string, settings measurement) (measured, error) {
	var result measured
	start := time.Now()
	client, on, err := launch(protocol, command)
	if err != nil {
		return result, err
	}
	defer client.Kill()
	service, err := findService(protocol)
	if err != nil {
		return result, err
	}
	schema, err := readSchemas(on, service)
	if err != nil {
		return result, err
	}
	block, err := schema.block([]string{"resource_schemas", settings.TypeName})
	if err != nil {
		return result, err
	}
	of := typeOfBlock(block)
	result.FirstSchemaMs = milliseconds(start)
	planner, err := newPlanner(on, service, of, settings)
	if err != nil {
		return result, err
	}
	if result.PlannedState, err = planner.first(); err != nil {
		return result, err
	}
	inFlight := max(settings.InFlight, 1)
	if _, err := repeat(inFlight, times(settings.Warmup), planner.plan); err != nil {
		return result, err
	}
	hasNext := until(settings.Seconds)
	if settings.Calls > 0 {
		hasNext = times(settings.Calls)
	}
	cpu, start := cpuSeconds(), time.Now()
	result.Calls, err = repeat(inFlight, hasNext, planner.plan)
	result.Seconds = time.Since(start).Seconds()
	result.CPUSeconds = cpuSeconds() - cpu
	result.ResidentKiB = residentKiB()
	return result, err
}

func milliseconds(since time.Time) float64 {
	return float64(time.Since(since).Microseconds()) / 1000
}

// planner plans the same change repeatedly.
type planner struct {
	on       *grpc.ClientConn
	path     string
	settings measurement
	of       cty.Type
	values   [3]cty.Value
	// request is the encoded request of a plain measurement.
	request proto.Message
	input   protoreflect.MessageType
	output  protoreflect.MessageType
	fields  planFields
}

// planFields are the fields of PlanResourceChange that are set in the request or read from the response.
type planFields struct {
	typeName protoreflect.FieldDescriptor
	values   [3]protoreflect.FieldDescriptor
	msgpack  protoreflect.FieldDescriptor
	planned  protoreflect.FieldDescriptor
}

func newPlanner(on *grpc.ClientConn, service protoreflect.ServiceDescriptor, of cty.Type, settings measurement) (*planner, error) {
	method := service.Methods().ByName("PlanResourceChange")
	input, err := generated(method.Input())
	if err != nil {
		return nil, err
	}
	output, err := generated(method.Output())
	if err != nil {
		return nil, err
	}
	in := method.Input().Fields()
	created := &planner{on: on, path: fmt.Sprintf("/%s/PlanResourceChange", service.FullName()), settings: settings, of: of, input: input, output: output}
	created.fields = planFields{
		typeName: in.ByName("type_name"),
		values:   [3]protoreflect.FieldDescriptor{in.ByName("prior_state"), in.ByName("proposed_new_state"), in.ByName("config")},
		planned:  method.Output().Fields().ByName("planned_state"),
	}
	created.fields.msgpack = created.fields.planned.Message().Fields().ByName("msgpack")
	encoded := [3][]byte{settings.PriorState, settings.ProposedNewState, settings.Config}
	for index, bytes := range encoded {
		if created.values[index], err = msgpack.Unmarshal(bytes, of); err != nil {
			return nil, err
		}
	}
	created.request = created.message(encoded)
	return created, nil
}

func (p *planner) message(values [3][]byte) proto.Message {
	message := p.input.New()
	message.Set(p.fields.typeName, protoreflect.ValueOfString(p.settings.TypeName))
	for index, field := range p.fields.values {
		message.Mutable(field).Message().Set(p.fields.msgpack, protoreflect.ValueOfBytes(values[index]))
	}
	return message.Interface()
}

func (p *planner) invoke(request proto.Message) ([]byte, error) {
	response := p.output.New()
	if err := p.on.Invoke(context.Background(), p.path, request, response.Interface()); err != nil {
		return nil, err
	}
	return response.Get(p.fields.planned).Message().Get(p.fields.msgpack).Bytes(), nil
}

// planned makes one call and encodes and decodes the values, as a core does.
func (p *planner) planned() (cty.Value, error) {
	var encoded [3][]byte
	var err error
	for index, value := range p.values {
		if encoded[index], err = msgpack.Marshal(value, p.of); err != nil {
			return cty.NilVal, err
		}
	}
	bytes, err := p.invoke(p.message(encoded))
	if err != nil {
		return cty.NilVal, err
	}
	return msgpack.Unmarshal(bytes, p.of)
}

// first makes a call and returns the planned value, encoded again.
func (p *planner) first() ([]byte, error) {
	value, err := p.planned()
	if err != nil {
		return nil, err
	}
	return msgpack.Marshal(value, p.of)
}

// plan makes one call of the measured kind, and checks that the response has a planned value.
func (p *planner) plan() error {
	if !p.settings.Plain {
		value, err := p.planned()
		if err == nil && value.IsNull() {
			return fmt.Errorf("nothing was planned")
		}
		return err
	}
	bytes, err := p.invoke(p.request)
	if err == nil && len(bytes) != len(p.settings.ProposedNewState) {
		return fmt.Errorf("a response of %d bytes, but %d bytes were proposed", len(bytes), len(p.settings.ProposedNewState))
	}
	return err
}

// repeat makes calls, with the given number of concurrent calls, while hasNext returns true; it stops at the first failed call.
func repeat(inFlight int, hasNext func() bool, call func() error) (int64, error) {
	var calls atomic.Int64
	var failure atomic.Pointer[error]
	var group sync.WaitGroup
	for range inFlight {
		group.Go(func() {
			for failure.Load() == nil && hasNext() {
				if err := call(); err != nil {
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

func times(calls int64) func() bool {
	var started atomic.Int64
	return func() bool { return started.Add(1) <= calls }
}

func until(seconds float64) func() bool {
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	return func() bool { return time.Now().Before(end) }
}
