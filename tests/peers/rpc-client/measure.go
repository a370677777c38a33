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

// measurement is what is to be measured: a plan, made again and again. `npm run bench -- host` does the same with our host.
type measurement struct {
	// TypeName and the values, in msgpack, are those of the plan.
	TypeName         string `json:"typeName"`
	PriorState       []byte `json:"priorState"`
	ProposedNewState []byte `json:"proposedNewState"`
	Config           []byte `json:"config"`
	// Plain: the messages are made beforehand, and what they hold stays bytes.
	Plain bool `json:"plain"`
	// InFlight is how many calls are under way at any time.
	InFlight int `json:"inFlight"`
	// Seconds to call for; or, where Calls is not zero, so many calls. Before that, Warmup calls are made that do not count.
	Seconds float64 `json:"seconds"`
	Calls   int64   `json:"calls"`
	Warmup  int64   `json:"warmup"`
}

// measured is what came of it.
type measured struct {
	// FirstSchemaMs is from launch to when the types of the first schema were known.
	FirstSchemaMs float64 `json:"firstSchemaMs"`
	// Calls were answered in Seconds; meanwhile this process took CPUSeconds of processor time.
	Calls      int64   `json:"calls"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	// ResidentKiB is the memory of this process afterwards.
	ResidentKiB int64 `json:"residentKiB"`
	// PlannedState is the value that the first call was answered, in msgpack.
	PlannedState []byte `json:"plannedState"`
}

func printMeasured(to io.Writer, protocol int, command []string, path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var what measurement
	if err := json.Unmarshal(content, &what); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	came, err := measure(protocol, command, what)
	if err != nil {
		return err
	}
	return json.NewEncoder(to).Encode(came)
}

func measure(protocol int, command []string, what measurement) (measured, error) {
	var came measured
	began := time.Now()
	client, on, err := launch(protocol, command)
	if err != nil {
		return came, err
	}
	defer client.Kill()
	service, err := findService(protocol)
	if err != nil {
		return came, err
	}
	schema, err := readSchemas(on, service)
	if err != nil {
		return came, err
	}
	block, err := schema.block([]string{"resource_schemas", what.TypeName})
	if err != nil {
		return came, err
	}
	of := typeOfBlock(block)
	came.FirstSchemaMs = milliseconds(began)
	planner, err := newPlanner(on, service, of, what)
	if err != nil {
		return came, err
	}
	if came.PlannedState, err = planner.first(); err != nil {
		return came, err
	}
	inFlight := max(what.InFlight, 1)
	if _, err := repeat(inFlight, times(what.Warmup), planner.plan); err != nil {
		return came, err
	}
	goesOn := until(what.Seconds)
	if what.Calls > 0 {
		goesOn = times(what.Calls)
	}
	cpu, start := cpuSeconds(), time.Now()
	came.Calls, err = repeat(inFlight, goesOn, planner.plan)
	came.Seconds = time.Since(start).Seconds()
	came.CPUSeconds = cpuSeconds() - cpu
	came.ResidentKiB = residentKiB()
	return came, err
}

func milliseconds(since time.Time) float64 {
	return float64(time.Since(since).Microseconds()) / 1000
}

// planner plans the same change again and again.
type planner struct {
	on     *grpc.ClientConn
	path   string
	what   measurement
	of     cty.Type
	values [3]cty.Value
	// request is what goes out where messages are plain.
	request proto.Message
	input   protoreflect.MessageType
	output  protoreflect.MessageType
	fields  planFields
}

// planFields are those of PlanResourceChange that are filled, and that of its answer that is read.
type planFields struct {
	typeName protoreflect.FieldDescriptor
	values   [3]protoreflect.FieldDescriptor
	msgpack  protoreflect.FieldDescriptor
	planned  protoreflect.FieldDescriptor
}

func newPlanner(on *grpc.ClientConn, service protoreflect.ServiceDescriptor, of cty.Type, what measurement) (*planner, error) {
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
	made := &planner{on: on, path: fmt.Sprintf("/%s/PlanResourceChange", service.FullName()), what: what, of: of, input: input, output: output}
	made.fields = planFields{
		typeName: in.ByName("type_name"),
		values:   [3]protoreflect.FieldDescriptor{in.ByName("prior_state"), in.ByName("proposed_new_state"), in.ByName("config")},
		planned:  method.Output().Fields().ByName("planned_state"),
	}
	made.fields.msgpack = made.fields.planned.Message().Fields().ByName("msgpack")
	encoded := [3][]byte{what.PriorState, what.ProposedNewState, what.Config}
	for index, bytes := range encoded {
		if made.values[index], err = msgpack.Unmarshal(bytes, of); err != nil {
			return nil, err
		}
	}
	made.request = made.message(encoded)
	return made, nil
}

func (p *planner) message(values [3][]byte) proto.Message {
	message := p.input.New()
	message.Set(p.fields.typeName, protoreflect.ValueOfString(p.what.TypeName))
	for index, field := range p.fields.values {
		message.Mutable(field).Message().Set(p.fields.msgpack, protoreflect.ValueOfBytes(values[index]))
	}
	return message.Interface()
}

func (p *planner) invoke(request proto.Message) ([]byte, error) {
	answer := p.output.New()
	if err := p.on.Invoke(context.Background(), p.path, request, answer.Interface()); err != nil {
		return nil, err
	}
	return answer.Get(p.fields.planned).Message().Get(p.fields.msgpack).Bytes(), nil
}

// planned makes one call with values, as a core does.
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

// first makes a call and answers the value that was planned, written anew.
func (p *planner) first() ([]byte, error) {
	value, err := p.planned()
	if err != nil {
		return nil, err
	}
	return msgpack.Marshal(value, p.of)
}

// plan makes a call of the kind that is measured, and looks whether it was answered.
func (p *planner) plan() error {
	if !p.what.Plain {
		value, err := p.planned()
		if err == nil && value.IsNull() {
			return fmt.Errorf("nothing was planned")
		}
		return err
	}
	bytes, err := p.invoke(p.request)
	if err == nil && len(bytes) != len(p.what.ProposedNewState) {
		return fmt.Errorf("an answer of %d bytes, where %d were proposed", len(bytes), len(p.what.ProposedNewState))
	}
	return err
}

// repeat makes calls, so many at a time, as long as it goes on; it fails with the first call that fails.
func repeat(inFlight int, goesOn func() bool, call func() error) (int64, error) {
	var calls atomic.Int64
	var failure atomic.Pointer[error]
	var group sync.WaitGroup
	for range inFlight {
		group.Go(func() {
			for failure.Load() == nil && goesOn() {
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
	var taken atomic.Int64
	return func() bool { return taken.Add(1) <= calls }
}

func until(seconds float64) func() bool {
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
	return func() bool { return time.Now().Before(end) }
}
