package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lineConn exchanges messages with a process, one on each line. The SDK's own connection reads a stream of JSON values,
// so it cannot name the line of the output that is not a message.
type lineConn struct {
	process *process
	cutter  cutter
	writing chan struct{} // holds one value while a message is written
	queue   []jsonrpc.Message
	buf     [chunk]byte

	mu      sync.Mutex
	pending []byte // bytes that were read but not returned, and the last line even if it was returned
	isEnded bool   // the last line was returned
}

// SessionID returns "", because processes have no session ids.
func (c *lineConn) SessionID() string { return "" }

// Close does nothing: the process is closed with its connection.
func (c *lineConn) Close() error { return nil }

// Write sends a message. If ctx ends during the write, the connection cannot be used any more.
func (c *lineConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	return c.writeLine(ctx, data)
}

func (c *lineConn) writeLine(ctx context.Context, line []byte) error {
	select {
	case c.writing <- struct{}{}:
		defer func() { <-c.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	// The pipe becomes full if a server does not read its input.
	stop := context.AfterFunc(ctx, func() { c.process.stdin.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	_, err := c.process.stdin.Write(append(line[:len(line):len(line)], '\n'))
	return err
}

// Read returns the next message. io.EOF means the end of the output.
func (c *lineConn) Read(context.Context) (jsonrpc.Message, error) {
	for len(c.queue) == 0 {
		line, err := c.readLine()
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if c.queue, err = decodeMessages(line); err != nil {
			return nil, &protocolError{"standard output has something other than MCP messages: " + c.cutter.quoteStart(line) + ", expected a log on standard error"}
		}
	}
	msg := c.queue[0]
	c.queue = c.queue[1:]
	return msg, nil
}

func decodeMessages(line []byte) ([]jsonrpc.Message, error) {
	if line[0] != '[' {
		msg, err := jsonrpc.DecodeMessage(line)
		return []jsonrpc.Message{msg}, err
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(line, &batch); err != nil {
		return nil, err
	}
	var msgs []jsonrpc.Message
	for _, raw := range batch {
		msg, err := jsonrpc.DecodeMessage(raw)
		if err != nil {
			return nil, err
		}
		msgs = append(msgs, msg)
	}
	return msgs, nil
}

// chunk is the number of bytes that are read at once.
const chunk = 64 << 10

// readLine returns the next line. The last line may lack its line end.
func (c *lineConn) readLine() ([]byte, error) {
	searched := 0
	for {
		if line, ok := c.takeLine(searched); ok {
			return line, nil
		}
		searched = len(c.pending)
		if searched > maxMessage {
			return nil, &protocolError{fmt.Sprintf("a message on standard output is longer than %d bytes", maxMessage)}
		}
		switch n, err := c.readMore(); {
		case n > 0:
		case errors.Is(err, io.EOF), errors.Is(err, os.ErrClosed):
			return c.takeRest()
		case err != nil:
			return nil, fmt.Errorf("read standard output: %w", err)
		}
	}
}

// takeLine removes the first line from the bytes that were read. searched is the number of bytes known to have no line
// end.
func (c *lineConn) takeLine(searched int) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := bytes.IndexByte(c.pending[searched:], '\n')
	if at < 0 {
		return nil, false
	}
	line := c.pending[:searched+at]
	c.pending = c.pending[searched+at+1:]
	if len(c.pending) == 0 {
		c.pending = nil // frees the memory of a long line
	}
	return line, true
}

func (c *lineConn) readMore() (int, error) {
	n, err := c.process.stdout.Read(c.buf[:])
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending = append(c.pending, c.buf[:n]...)
	return n, err
}

func (c *lineConn) takeRest() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isEnded || len(c.pending) == 0 {
		return nil, io.EOF
	}
	c.isEnded = true // the line stays pending, for the error of a server that was ended in the middle of it
	return c.pending, nil
}

func (c *lineConn) unfinished() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if start := bytes.TrimSpace(c.pending); len(start) > 0 {
		return ", after a line without an end: " + c.cutter.quoteStart(start)
	}
	return ""
}
