// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"golang.org/x/text/unicode/norm"
)

// writeHeader writes the versions that determine the results.
func writeHeader(out *bufio.Writer, repeats int) {
	header := map[string]any{"oracle": version, "repeats": repeats, "unicode": unicode.Version, "normalization": norm.Version}
	if info, ok := debug.ReadBuildInfo(); ok {
		header["go"] = strings.TrimPrefix(info.GoVersion, "go")
		for _, module := range info.Deps {
			switch module.Path {
			case "github.com/zclconf/go-cty":
				header["go-cty"] = strings.TrimPrefix(module.Version, "v")
			case "github.com/hashicorp/hcl/v2":
				header["hcl"] = strings.TrimPrefix(module.Version, "v")
			case "golang.org/x/text":
				header["x/text"] = strings.TrimPrefix(module.Version, "v")
			case "github.com/vmihailenco/msgpack/v5":
				header["msgpack"] = strings.TrimPrefix(module.Version, "v")
			}
			if strings.HasPrefix(module.Path, "github.com/apparentlymart/go-textseg/") {
				header["textseg"] = strings.TrimPrefix(module.Version, "v")
			}
		}
	}
	line, _ := json.Marshal(header)
	out.Write(line)
	out.WriteByte('\n')
	out.Flush()
}

// inputCase is one case. An unknown key is refused, because a misspelt key would silently change the case.
type inputCase struct {
	ID   json.RawMessage   `json:"id"`
	Op   string            `json:"op"`
	Args []json.RawMessage `json:"args"`
}

// serve responds to cases until the input ends. It flushes the output whenever no further response is ready.
func serve(in io.Reader, out *bufio.Writer, repeats, workers int) error {
	lines := make(chan []byte, 4*workers)
	responses := make(chan []byte, 4*workers)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for line := range lines {
				responses <- responseLine(line, repeats)
			}
		})
	}
	written := make(chan error, 1)
	go func() { written <- write(responses, out) }()

	reader := bufio.NewReaderSize(in, 1<<20)
	var failure error
	for {
		line, err := reader.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines <- line
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				failure = err
			}
			break
		}
	}
	close(lines)
	working.Wait()
	close(responses)
	return errors.Join(failure, <-written)
}

func write(responses <-chan []byte, out *bufio.Writer) error {
	var failure error
	for response := range responses {
		if failure != nil {
			continue // The workers must not block when the output is closed.
		}
		out.Write(response)
		failure = out.WriteByte('\n')
		if len(responses) == 0 {
			failure = errors.Join(failure, out.Flush())
		}
	}
	return errors.Join(failure, out.Flush())
}

// responseLine runs one case, with its repeats, and returns its output line.
func responseLine(line []byte, repeats int) []byte {
	var input inputCase
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&input); err != nil {
		return finish(input.ID, refusal("the line is not a case: %s", err))
	}
	known, ok := operations[input.Op]
	if !ok {
		return finish(input.ID, refusal("unknown operation %q", input.Op))
	}
	w := newWriter()
	first := runCase(known, input.Args, w)
	if bytes.HasPrefix(first, []byte(`"refused"`)) {
		return finish(input.ID, first)
	}
	different := [][]byte{first}
	for range repeats - 1 {
		again := runCase(known, input.Args, w)
		if !slices.ContainsFunc(different, func(earlier []byte) bool { return bytes.Equal(earlier, again) }) {
			different = append(different, again)
		}
	}
	if len(different) == 1 {
		return finish(input.ID, first)
	}
	slices.SortFunc(different, bytes.Compare)
	var varying bytes.Buffer
	varying.WriteString(`"varies":[`)
	for i, one := range different {
		if i > 0 {
			varying.WriteByte(',')
		}
		varying.WriteByte('{')
		varying.Write(one)
		varying.WriteByte('}')
	}
	varying.WriteByte(']')
	return finish(input.ID, varying.Bytes())
}

func finish(id json.RawMessage, body []byte) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return slices.Concat([]byte(`{"id":`), id, []byte(`,`), body, []byte(`}`))
}

// refused is the panic value of the readers of the notation: the case is invalid, and go-cty is not at fault.
type refused struct{ reason string }

func refuse(format string, args ...any) {
	panic(refused{fmt.Sprintf(format, args...)})
}

func refusal(format string, args ...any) []byte {
	return []byte(`"refused":` + string(quoted(fmt.Sprintf(format, args...))))
}

// runCase reads the arguments again for each run, because go-cty may construct different values from the same arguments, and an operation
// may change the state of a value.
func runCase(known operation, args []json.RawMessage, w *writer) (body []byte) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case refused:
			body = refusal("%s", cause.reason)
		default:
			body = slices.Concat([]byte(`"panic":`), quoted(fmt.Sprint(cause)))
		}
	}()
	result, err := known.run(readArguments(known, args))
	w.reset()
	if err != nil {
		return w.failure(err)
	}
	w.text(`"ok":`)
	w.any(result)
	return bytes.Clone(w.buffer.Bytes())
}

func (w *writer) failure(err error) []byte {
	if panicked, ok := errors.AsType[function.PanicError](err); ok {
		return slices.Concat([]byte(`"panic":`), quoted(fmt.Sprint(panicked.Value)))
	}
	w.text(`"err":{"msg":`)
	w.string(err.Error())
	if at, ok := errors.AsType[cty.PathError](err); ok {
		w.text(`,"path":`)
		w.path(at.Path)
	}
	if about, ok := errors.AsType[function.ArgError](err); ok {
		w.text(`,"arg":`)
		w.any(about.Index)
	}
	w.text(`}`)
	return bytes.Clone(w.buffer.Bytes())
}
