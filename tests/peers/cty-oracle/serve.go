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

// writeHeader says what decides the answers.
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

// request is one case. A key that is not known is refused: a misspelt one would otherwise change the question unseen.
type request struct {
	ID   json.RawMessage   `json:"id"`
	Op   string            `json:"op"`
	Args []json.RawMessage `json:"args"`
}

// serve answers until the input ends. Output is flushed whenever nothing more is ready to be written.
func serve(in io.Reader, out *bufio.Writer, repeats, workers int) error {
	lines := make(chan []byte, 4*workers)
	answers := make(chan []byte, 4*workers)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for line := range lines {
				answers <- answerLine(line, repeats)
			}
		})
	}
	written := make(chan error, 1)
	go func() { written <- write(answers, out) }()

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
	close(answers)
	return errors.Join(failure, <-written)
}

func write(answers <-chan []byte, out *bufio.Writer) error {
	var failure error
	for answer := range answers {
		if failure != nil {
			continue // The workers must not block on an output that is gone.
		}
		out.Write(answer)
		failure = out.WriteByte('\n')
		if len(answers) == 0 {
			failure = errors.Join(failure, out.Flush())
		}
	}
	return errors.Join(failure, out.Flush())
}

// answerLine is the whole life of one case.
func answerLine(line []byte, repeats int) []byte {
	var asked request
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&asked); err != nil {
		return finish(asked.ID, refusal("the line is no case: %s", err))
	}
	known, ok := operations[asked.Op]
	if !ok {
		return finish(asked.ID, refusal("no operation %q", asked.Op))
	}
	w := newWriter()
	first := answer(known, asked.Args, w)
	if bytes.HasPrefix(first, []byte(`"refused"`)) {
		return finish(asked.ID, first)
	}
	different := [][]byte{first}
	for range repeats - 1 {
		again := answer(known, asked.Args, w)
		if !slices.ContainsFunc(different, func(seen []byte) bool { return bytes.Equal(seen, again) }) {
			different = append(different, again)
		}
	}
	if len(different) == 1 {
		return finish(asked.ID, first)
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
	return finish(asked.ID, varying.Bytes())
}

func finish(id json.RawMessage, body []byte) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return slices.Concat([]byte(`{"id":`), id, []byte(`,`), body, []byte(`}`))
}

// refused is what a reader of notation panics with: the case is wrong, not go-cty.
type refused struct{ why string }

func refuse(format string, args ...any) {
	panic(refused{fmt.Sprintf(format, args...)})
}

func refusal(format string, args ...any) []byte {
	return []byte(`"refused":` + string(quoted(fmt.Sprintf(format, args...))))
}

// answer reads the arguments afresh each time: building a value may vary too, and a value can remember what was done to it.
func answer(known operation, args []json.RawMessage, w *writer) (body []byte) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case refused:
			body = refusal("%s", reason.why)
		default:
			body = slices.Concat([]byte(`"panic":`), quoted(fmt.Sprint(reason)))
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
