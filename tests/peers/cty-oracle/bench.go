// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// With -bench a line in is one of
//
//	{"task":"msgpack-decode","type":…,"msgpack":"…"}      what the task gives: {"result":"…"}
//	{"task":"msgpack-decode","ms":100}                    how long it takes of the CPU's time, tried so long, and what it
//	                                                      allocates: {"ns":1234.5,"bytes":5678,"objects":90}
//
// A task keeps what it was given first. "from" is the type of the value where it is not the type to convert to.
type measure struct {
	Task    string          `json:"task"`
	Name    string          `json:"name"`
	Type    json.RawMessage `json:"type"`
	From    json.RawMessage `json:"from"`
	Msgpack string          `json:"msgpack"`
	Texts   []string        `json:"texts"`
	Ms      int             `json:"ms"`
}

// task is what is timed, and what shows that it did the same as the other side.
type task struct {
	run    func()
	result func() string
}

func serveBench(in io.Reader, out *bufio.Writer) error {
	tasks := map[string]task{}
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	decoder.DisallowUnknownFields()
	for {
		var asked measure
		if err := decoder.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if asked.Ms == 0 {
			made, err := prepare(asked)
			if err != nil {
				return err
			}
			tasks[asked.Name] = made
			fmt.Fprintf(out, "{\"result\":%s}\n", quoted(made.result()))
		} else {
			taken := timed(tasks[asked.Name].run, time.Duration(asked.Ms)*time.Millisecond)
			fmt.Fprintf(out, "{\"ns\":%f,\"bytes\":%f,\"objects\":%f}\n", taken.ns, taken.bytes, taken.objects)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// cost is what one run takes. Garbage is collected on other threads, whose time is not in it.
type cost struct{ ns, bytes, objects float64 }

// timed runs for about so long and answers what one run takes.
func timed(run func(), span time.Duration) cost {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after runtime.MemStats
	rounds := 1
	for {
		runtime.ReadMemStats(&before)
		start := clock()
		for range rounds {
			run()
		}
		taken := clock() - start
		if taken >= span || rounds >= 1<<30 {
			runtime.ReadMemStats(&after)
			n := float64(rounds)
			return cost{float64(taken.Nanoseconds()) / n, float64(after.TotalAlloc-before.TotalAlloc) / n, float64(after.Mallocs-before.Mallocs) / n}
		} else if taken < span/16 {
			rounds *= 8
		} else {
			rounds = int(float64(rounds)*float64(span)/float64(taken)) + 1
		}
	}
}

// sink keeps results alive, so that no work is left out.
var sink any

func prepare(asked measure) (task, error) {
	var ty cty.Type
	var value cty.Value
	var packed, text []byte
	var err error
	if len(asked.Type) > 0 {
		ty = readType(asked.Type)
		from := ty
		if len(asked.From) > 0 {
			from = readType(asked.From)
		}
		if packed, err = hex.DecodeString(asked.Msgpack); err != nil {
			return task{}, err
		}
		if value, err = msgpack.Unmarshal(packed, from); err != nil {
			return task{}, err
		}
	}
	packedAs := func(value cty.Value) string {
		again, err := msgpack.Marshal(value, ty)
		return shown(hex.EncodeToString(again), err)
	}
	switch asked.Task {
	case "msgpack-decode":
		run := func() (cty.Value, error) { return msgpack.Unmarshal(packed, ty) }
		return task{func() { sink, _ = run() }, func() string { value, _ := run(); return packedAs(value) }}, nil
	case "msgpack-encode":
		return task{func() { sink, _ = msgpack.Marshal(value, ty) }, func() string { return packedAs(value) }}, nil
	case "json-decode":
		if text, err = ctyjson.Marshal(value, ty); err != nil {
			return task{}, err
		}
		run := func() (cty.Value, error) { return ctyjson.Unmarshal(text, ty) }
		return task{func() { sink, _ = run() }, func() string { value, _ := run(); return packedAs(value) }}, nil
	case "json-encode":
		run := func() ([]byte, error) { return ctyjson.Marshal(value, ty) }
		return task{func() { sink, _ = run() }, func() string { text, err := run(); return shown(string(text), err) }}, nil
	case "equals":
		other, err := msgpack.Unmarshal(packed, ty)
		run := func() bool { return value.RawEquals(other) }
		return task{func() { sink = run() }, func() string { return fmt.Sprint(run()) }}, err
	case "convert":
		run := func() (cty.Value, error) { return convert.Convert(value, ty) }
		return task{func() { sink, _ = run() }, func() string { value, err := run(); return shown(packedAs(value), err) }}, nil
	case "set":
		elements := make([]cty.Value, len(asked.Texts))
		for i, text := range asked.Texts {
			elements[i] = cty.StringVal(text)
		}
		ty = cty.Set(cty.String)
		run := func() cty.Value { return cty.SetVal(elements) }
		return task{func() { sink = run() }, func() string { return packedAs(run()) }}, nil
	case "set-has-element":
		elements := make([]cty.Value, len(asked.Texts))
		for i, text := range asked.Texts {
			elements[i] = cty.StringVal(text)
		}
		set := cty.SetVal(elements)
		wanted := elements[len(elements)/2]
		run := func() bool { return set.HasElement(wanted).True() }
		return task{func() { sink = run() }, func() string { return fmt.Sprint(run()) }}, nil
	case "number-arithmetic":
		numbers, err := numbersOf(asked.Texts)
		return task{func() { sink = arithmetic(numbers) }, func() string { return arithmetic(numbers).AsBigFloat().Text('p', 0) }}, err
	case "number-text":
		numbers, err := numbersOf(asked.Texts)
		return task{func() { sink = texts(numbers) }, func() string { return texts(numbers) }}, err
	}
	return task{}, fmt.Errorf("no task %q", asked.Task)
}

func shown(text string, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return text
}

func numbersOf(texts []string) ([]cty.Value, error) {
	numbers := make([]cty.Value, len(texts))
	for i, text := range texts {
		number, err := cty.ParseNumberVal(text)
		if err != nil {
			return nil, err
		}
		numbers[i] = number
	}
	return numbers, nil
}

// arithmetic does each of the four operations on each neighbouring pair and answers the sum of all.
func arithmetic(numbers []cty.Value) cty.Value {
	sum := cty.NumberIntVal(0)
	for i := 1; i < len(numbers); i++ {
		a, b := numbers[i-1], numbers[i]
		sum = sum.Add(a.Add(b)).Add(a.Subtract(b)).Add(a.Multiply(b)).Add(a.Divide(b))
	}
	return sum
}

// texts is the last text of the sums of all neighbours, each made anew so that nobody can have it already.
func texts(numbers []cty.Value) string {
	last := ""
	for i := 1; i < len(numbers); i++ {
		last = new(big.Float).Add(numbers[i-1].AsBigFloat(), numbers[i].AsBigFloat()).Text('f', -1)
	}
	return last
}
