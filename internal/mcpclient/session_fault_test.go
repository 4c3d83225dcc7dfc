package mcpclient

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/org/mcp-gates/internal/thorough"
)

// faultEnv and markEnv say how the test binary behaves as a server, and which test it belongs to.
const (
	faultEnv = "MCP_GATES_TEST_FAULT"
	markEnv  = "MCP_GATES_TEST_MARK"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Most tests wait for servers that take their time, and not for a processor.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	m.Run()
}

// TestFaultServer is no test: with faultEnv set, it is a server with that fault on standard input and output.
func TestFaultServer(t *testing.T) {
	fault := os.Getenv(faultEnv)
	if fault == "" {
		t.Skip("is a server that other tests start")
	}
	s := &faultServer{fault: fault, in: bufio.NewReader(os.Stdin)}
	s.begin()
	for s.serve() {
	}
	if fault == "stubborn" || fault == "fork" {
		time.Sleep(time.Minute)
	}
	os.Exit(0)
}

// faultServer is a server that speaks the protocol by hand, for no library lets it break the rules.
type faultServer struct {
	fault string
	in    *bufio.Reader
	asked bool // the server's own requests are sent
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name, Cursor    string
		ProtocolVersion string
		Arguments       json.RawMessage
	} `json:"params"`
	Error json.RawMessage `json:"error"`
}

func (s *faultServer) begin() {
	switch s.fault {
	case "logs":
		fmt.Println("Server \x1b[1mstarted\x1b[0m on stdio")
	case "exit-start":
		fmt.Fprintln(os.Stderr, "no configuration\nset API_KEY")
		os.Exit(3)
	case "stubborn", "ignores-term":
		signal.Ignore(syscall.SIGTERM)
	case "fork":
		signal.Ignore(syscall.SIGTERM)
		s.fork()
	case "daemon":
		s.fork()
	case "flood-stderr":
		line := strings.Repeat("x", 5000)
		for i := range thorough.Cases(20_000) {
			fmt.Fprintf(os.Stderr, "%d %s\n", i, line)
		}
	}
}

// fork starts a process that inherits everything and does not want to end.
func (s *faultServer) fork() {
	cmd := exec.Command(os.Args[0], "-test.run=^TestFaultServer$")
	cmd.Env = append(os.Environ(), faultEnv+"=stubborn")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Stdin = nil
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// serve answers one message, and reports whether there may be another.
func (s *faultServer) serve() bool {
	if s.fault == "mute" || s.fault == "partial" {
		time.Sleep(10 * time.Millisecond)
		if s.fault == "partial" && !s.asked {
			s.asked = true
			fmt.Print(`{"jsonrpc":"2.0","id":1,"resu`)
		}
	}
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		return false
	}
	var m message
	if json.Unmarshal(line, &m) == nil && m.ID != nil && m.Method != "" {
		s.answer(&m)
	}
	return true
}

func (s *faultServer) answer(m *message) {
	switch {
	case s.fault == "mute" || s.fault == "partial" || s.fault == "stubborn":
	case s.fault == "mute-list" && m.Method == "tools/list" || s.fault == "mute-call" && m.Method == "tools/call":
	case s.fault == "modern" && m.Method == "initialize":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}`+"\n", m.ID)
	case s.fault == "modern" && m.Method == "server/discover":
		s.result(m, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"f","version":"1"}}`)
	case m.Method == "initialize":
		s.result(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"f","version":"1"}}`, m.Params.ProtocolVersion))
	case s.fault == "deaf":
		time.Sleep(time.Minute)
	case m.Method == "tools/list" && s.fault != "unlisted":
		s.list(m)
	case m.Method == "tools/call":
		s.call(m)
	default:
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", m.ID)
	}
}

func (s *faultServer) result(m *message, result string) {
	if s.fault == "garbage" {
		fmt.Println("\x00\xff<html>")
	}
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
}

func (s *faultServer) list(m *message) {
	page, _ := strconv.Atoi(m.Params.Cursor)
	var tools []string
	next := ""
	switch s.fault {
	case "pages":
		for i := range 50 {
			tools = append(tools, fmt.Sprintf(`{"name":"t%04d","inputSchema":{"type":"object"}}`, page*50+i))
		}
		if page < 19 {
			next = strconv.Itoa(page + 1)
		}
	case "endless":
		next = strconv.Itoa(page + 1)
	case "many":
		tools = make([]string, 6000)
		for i := range tools {
			tools[i] = `{"name":"t","inputSchema":{}}`
		}
		next = strconv.Itoa(page + 1)
	case "circle":
		next = strconv.Itoa((page + 1) % 3)
	case "nameless":
		tools = []string{`{"name":"a"}`, `{"description":"nothing"}`}
	case "no-list":
		s.result(m, `{"tools":{"a":1}}`)
		return
	default:
		tools = []string{
			`{"x-first":1.50,"name":"b","title":5,"inputSchema":{"type":"object","z":1,"a":{"c":1,"b":2}},"annotations":null,"_meta":{"k":1e400}}`,
			`{"name":"a","inputSchema":{"type":"object"}}`,
			`{"name":"b","description":"twin","inputSchema":{"type":"object"}}`,
		}
	}
	s.result(m, fmt.Sprintf(`{"nextCursor":%q,"tools":[%s]}`, next, strings.Join(tools, ",")))
}

func (s *faultServer) call(m *message) {
	text := string(m.Params.Arguments)
	switch s.fault {
	case "exit-call":
		fmt.Fprintln(os.Stderr, "panic: out of ideas")
		os.Exit(4)
	case "exit-after":
		defer os.Exit(5)
	case "hang-up":
		os.Stdout.Close()
		time.Sleep(time.Minute)
	case "big":
		text = strings.Repeat("0123456789", 1<<20)
	case "huge":
		text = strings.Repeat("0123456789", 2<<20)
	case "requests":
		text = s.ask()
	case "nags":
		out := bufio.NewWriter(os.Stdout)
		for i := range thorough.Cases(maxOwnRequests) + 1 {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":"n%d","method":"roots/list"}`+"\n", i)
		}
		_ = out.Flush()
	case "notes":
		note := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}` + "\n"
		fmt.Print(strings.Repeat(note, thorough.Size(maxOwnRequests/5, 2*maxOwnRequests)))
	case "error":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"the backend is down"}}`+"\n", m.ID)
		return
	case "no-result":
		s.result(m, `"done"`)
		return
	case "env":
		text = strings.Join(os.Environ(), "\n")
	}
	quoted := []byte(`"` + text + `"`)
	if len(text) < 1<<20 {
		quoted, _ = json.Marshal(text)
	}
	s.result(m, fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, quoted))
}

// ask sends requests of its own, and returns what is answered.
func (s *faultServer) ask() string {
	for i, method := range []string{"sampling/createMessage", "elicitation/create", "roots/list", "tasks/list", "ping"} {
		fmt.Printf(`{"jsonrpc":"2.0","id":"own%d","method":%q,"params":{"messages":[],"maxTokens":1,"message":"?","requestedSchema":{"type":"object","properties":{}}}}`+"\n", i, method)
	}
	fmt.Println(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	fmt.Println(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)
	answers := make([]string, 5)
	for range answers {
		line, err := s.in.ReadBytes('\n')
		var m struct {
			ID    string
			Error *struct{ Code int }
		}
		if err != nil || json.Unmarshal(line, &m) != nil || len(m.ID) != 4 {
			return "unexpected: " + string(line)
		}
		answers[m.ID[3]-'0'] = "result"
		if m.Error != nil {
			answers[m.ID[3]-'0'] = strconv.Itoa(m.Error.Code)
		}
	}
	return strings.Join(answers, " ")
}

// faultConfig returns how a server with a fault is started. At the end of the test none of its processes may be left.
func faultConfig(t *testing.T, fault string) Config {
	t.Helper()
	mark := fmt.Sprintf("%s-%d-%d", t.Name(), os.Getpid(), time.Now().UnixNano())
	t.Cleanup(func() {
		if left := marked(mark); len(left) > 0 {
			t.Errorf("processes are left running: %v", left)
		}
	})
	return Config{
		Name:           "faulty",
		Command:        []string{os.Args[0], "-test.run=^TestFaultServer$"},
		Env:            []string{faultEnv + "=" + fault, markEnv + "=" + mark, "GORACE=atexit_sleep_ms=0", "MCP_GATES_THOROUGH=" + os.Getenv("MCP_GATES_THOROUGH")},
		ConnectTimeout: 2 * patience,
		CallTimeout:    2 * patience,
		Grace:          300 * time.Millisecond,
	}
}

// marked returns the processes of a test that are running.
func marked(mark string) []string {
	if runtime.GOOS != "linux" {
		return nil
	}
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		env, err := os.ReadFile(file) // a process that has ended has none
		if err == nil && bytes.Contains(env, []byte(markEnv+"="+mark+"\x00")) {
			found = append(found, filepath.Base(filepath.Dir(file)))
		}
	}
	return found
}
