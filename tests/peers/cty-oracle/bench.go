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

// With -bench an input line is one of
//
//	{"task":"msgpack-decode","type":…,"msgpack":"…"}      prepares a task; prints its result: {"result":"…"}
//	{"task":"msgpack-decode","ms":100}                    runs the task for that CPU time; prints the time and the allocations
//	                                                      of one run: {"ns":1234.5,"bytes":5678,"objects":90}
//
// A measurement uses the input with which the task was prepared. "from" is the type of the value if it differs from the type to convert to.
type benchInput struct {
	Task    string          `json:"task"`
	Name    string          `json:"name"`
	Type    json.RawMessage `json:"type"`
	From    json.RawMessage `json:"from"`
	Msgpack string          `json:"msgpack"`
	Texts   []string        `json:"texts"`
	Ms      int             `json:"ms"`
}

// task is the code to measure, and its result, which must equal that of the compared library.
type task struct {
	run    func()
	result func() string
}

func serveBench(in io.Reader, out *bufio.Writer) error {
	tasks := map[string]task{}
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	decoder.DisallowUnknownFields()
	for {
		var input benchInput
		if err := decoder.Decode(&input); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if input.Ms == 0 {
			prepared, err := prepare(input)
			if err != nil {
				return err
			}
			tasks[input.Name] = prepared
			fmt.Fprintf(out, "{\"result\":%s}\n", quoted(prepared.result()))
		} else {
			result := timed(tasks[input.Name].run, time.Duration(input.Ms)*time.Millisecond)
			fmt.Fprintf(out, "{\"ns\":%f,\"bytes\":%f,\"objects\":%f}\n", result.ns, result.bytes, result.objects)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// cost is the cost of one run. The time excludes garbage collection, which runs on other threads.
type cost struct{ ns, bytes, objects float64 }

// timed runs the code for about the given time and returns the cost of one run.
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
		elapsed := clock() - start
		if elapsed >= span || rounds >= 1<<30 {
			runtime.ReadMemStats(&after)
			n := float64(rounds)
			return cost{float64(elapsed.Nanoseconds()) / n, float64(after.TotalAlloc-before.TotalAlloc) / n, float64(after.Mallocs-before.Mallocs) / n}
		} else if elapsed < span/16 {
			rounds *= 8
		} else {
			rounds = int(float64(rounds)*float64(span)/float64(elapsed)) + 1
		}
	}
}

// sink keeps results reachable, so that the compiler cannot remove the computation.
var sink any

func prepare(input benchInput) (task, error) {
	var ty cty.Type
	var value cty.Value
	var packed, text []byte
	var err error
	if len(input.Type) > 0 {
		ty = readType(input.Type)
		from := ty
		if len(input.From) > 0 {
			from = readType(input.From)
		}
		if packed, err = hex.DecodeString(input.Msgpack); err != nil {
			return task{}, err
		}
		if value, err = msgpack.Unmarshal(packed, from); err != nil {
			return task{}, err
		}
	}
	encodedHex := func(value cty.Value) string {
		encoded, err := msgpack.Marshal(value, ty)
		return textOrError(hex.EncodeToString(encoded), err)
	}
	switch input.Task {
	case "msgpack-decode":
		run := func() (cty.Value, error) { return msgpack.Unmarshal(packed, ty) }
		return task{func() { sink, _ = run() }, func() string { value, _ := run(); return encodedHex(value) }}, nil
	case "msgpack-encode":
		return task{func() { sink, _ = msgpack.Marshal(value, ty) }, func() string { return encodedHex(value) }}, nil
	case "json-decode":
		if text, err = ctyjson.Marshal(value, ty); err != nil {
			return task{}, err
		}
		run := func() (cty.Value, error) { return ctyjson.Unmarshal(text, ty) }
		return task{func() { sink, _ = run() }, func() string { value, _ := run(); return encodedHex(value) }}, nil
	case "json-encode":
		run := func() ([]byte, error) { return ctyjson.Marshal(value, ty) }
		return task{func() { sink, _ = run() }, func() string { text, err := run(); return textOrError(string(text), err) }}, nil
	case "equals":
		other, err := msgpack.Unmarshal(packed, ty)
		run := func() bool { return value.RawEquals(other) }
		return task{func() { sink = run() }, func() string { return fmt.Sprint(run()) }}, err
	case "convert":
		run := func() (cty.Value, error) { return convert.Convert(value, ty) }
		return task{func() { sink, _ = run() }, func() string { value, err := run(); return textOrError(encodedHex(value), err) }}, nil
	case "set":
		elements := make([]cty.Value, len(input.Texts))
		for i, text := range input.Texts {
			elements[i] = cty.StringVal(text)
		}
		ty = cty.Set(cty.String)
		run := func() cty.Value { return cty.SetVal(elements) }
		return task{func() { sink = run() }, func() string { return encodedHex(run()) }}, nil
	case "set-has-element":
		elements := make([]cty.Value, len(input.Texts))
		for i, text := range input.Texts {
			elements[i] = cty.StringVal(text)
		}
		set := cty.SetVal(elements)
		wanted := elements[len(elements)/2]
		run := func() bool { return set.HasElement(wanted).True() }
		return task{func() { sink = run() }, func() string { return fmt.Sprint(run()) }}, nil
	case "number-arithmetic":
		numbers, err := numbersOf(input.Texts)
		return task{func() { sink = arithmetic(numbers) }, func() string { return arithmetic(numbers).AsBigFloat().Text('p', 0) }}, err
	case "number-text":
		numbers, err := numbersOf(input.Texts)
		return task{func() { sink = texts(numbers) }, func() string { return texts(numbers) }}, err
	}
	return task{}, fmt.Errorf("unknown task %q", input.Task)
}

func textOrError(text string, err error) string {
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

// arithmetic applies each of the four operations to each pair of neighbours and returns the sum of all results.
func arithmetic(numbers []cty.Value) cty.Value {
	sum := cty.NumberIntVal(0)
	for i := 1; i < len(numbers); i++ {
		a, b := numbers[i-1], numbers[i]
		sum = sum.Add(a.Add(b)).Add(a.Subtract(b)).Add(a.Multiply(b)).Add(a.Divide(b))
	}
	return sum
}

// texts formats the sum of each pair of neighbours and returns the last text. Each sum is a new number, so that its text cannot be cached.
func texts(numbers []cty.Value) string {
	last := ""
	for i := 1; i < len(numbers); i++ {
		last = new(big.Float).Add(numbers[i-1].AsBigFloat(), numbers[i].AsBigFloat()).Text('f', -1)
	}
	return last
}
