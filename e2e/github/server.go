package github

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/org/mcp-gates/e2e/repo"
)

// Owner and Name are the owner and the name of the repository.
const (
	Owner = "octo"
	Name  = "tools"
)

// Config describes the GitHub that a server imitates.
type Config struct {
	Repo     *repo.Repo
	Contract *Contract
	// Prefix is the path of the API: "" on github.com, "/api/v3" on an Enterprise Server.
	Prefix string
	// Private means that a token without permission can read nothing.
	Private bool
	// TreeLimit is the greatest number of entries of a tree that are listed; further entries are left out. 0 means GitHub's own limit.
	TreeLimit int
}

// Server is a GitHub with one repository.
type Server struct {
	t        testing.TB
	config   Config
	server   *httptest.Server
	download *httptest.Server // another host, for archives

	mu        sync.Mutex
	checks    []*Check
	comments  []*Comment // on any pull request
	pulls     []*Pull
	tokens    map[string]Token
	faults    []*Fault
	limits    []*Limit
	limited   *Limit    // the limit that was reached last
	until     time.Time // end of this limit
	requests  []Request
	problems  []string
	lastID    int64
	downloads int
}

// Request is a request that the server received.
type Request struct {
	Method, Path string
	Operation    string // id of the operation in GitHub's description; "" for a GraphQL query, or if the stand-in lacks the operation
	Status       int    // status of the answer; 0 if the connection was closed without an answer
	Waited       bool   // a rate limit refused the request
	Body         string
}

// New starts a server, which stops when the test ends.
func New(t testing.TB, c Config) *Server {
	t.Helper()
	s := &Server{t: t, config: c, tokens: map[string]Token{}, lastID: 1000}
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.server.Close)
	s.download = httptest.NewServer(http.HandlerFunc(s.serveArchive))
	t.Cleanup(s.download.Close)
	return s
}

// URL returns the address of the API, for GITHUB_API_URL.
func (s *Server) URL() string { return s.server.URL + s.config.Prefix }

// GraphQLURL returns the address of the GraphQL API, for GITHUB_GRAPHQL_URL.
func (s *Server) GraphQLURL() string { return s.server.URL + s.graphQLPath() }

func (s *Server) graphQLPath() string {
	if s.config.Prefix != "" {
		return "/api/graphql"
	}
	return "/graphql"
}

// SiteURL returns the address of the website, for GITHUB_SERVER_URL. The stand-in serves no pages.
func (s *Server) SiteURL() string {
	if s.config.Prefix != "" {
		return s.server.URL
	}
	return "https://github.com"
}

// Requests returns the requests in the order in which they were received.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Problems returns the mistakes of the client, such as requests that GitHub's description does not allow.
func (s *Server) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

// Checks returns the check runs, in the order in which they were made.
func (s *Server) Checks() []Check {
	s.mu.Lock()
	defer s.mu.Unlock()
	return values(s.checks)
}

// Comments returns the comments on all pull requests, in the order in which they were made.
func (s *Server) Comments() []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return values(s.comments)
}

func values[T any](of []*T) []T {
	list := make([]T, len(of))
	for i, one := range of {
		list[i] = *one
	}
	return list
}

// Change calls do under the server's lock, so that do may change pull requests and comments of the server.
func (s *Server) Change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// Downloads returns the number of requests for archives to the other host.
func (s *Server) Downloads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.downloads
}

func (s *Server) problem(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

func (s *Server) id() int64 {
	s.lastID++
	return s.lastID
}

// call is a request that is being answered.
type call struct {
	*Server
	w      http.ResponseWriter
	r      *http.Request
	op     operation
	params map[string]string
	body   []byte
	token  Token
}

// maxBody is the greatest number of bytes that are read of a request's body.
const maxBody = 8 << 20

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &call{Server: s, r: r, body: body}
	c.findOperation()
	counted := &statusWriter{ResponseWriter: w}
	c.w = counted
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Operation: c.op.id, Body: string(body)})
	at := len(s.requests) - 1
	defer func() { s.requests[at].Status = counted.status }()
	if s.refusesByLimit(c) {
		s.requests[at].Waited = true
		return
	}
	c.answerUnlessFaulty()
}

// statusWriter notes the status that is sent.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// findOperation sets the operation of the request and its parameters, if the stand-in has the operation.
func (c *call) findOperation() {
	name, ok := strings.CutPrefix(c.r.URL.EscapedPath(), c.config.Prefix)
	if !ok {
		return
	}
	for _, op := range operations {
		if params, ok := match(op.path, name); ok && op.method == c.r.Method {
			c.op, c.params = op, params
			return
		}
	}
}

// match reports whether a path fits a template, and returns the values of the template's parameters. A {ref} at the end may have
// slashes.
func match(template, path string) (map[string]string, bool) {
	parts, given := strings.Split(template, "/"), strings.Split(path, "/")
	if last := len(parts) - 1; parts[last] == "{ref}" && len(given) > len(parts) {
		given = append(given[:last:last], strings.Join(given[last:], "/"))
	}
	if len(parts) != len(given) {
		return nil, false
	}
	params := map[string]string{}
	for i, part := range parts {
		value, err := url.PathUnescape(given[i])
		if err != nil {
			return nil, false
		}
		if name, ok := strings.CutPrefix(part, "{"); ok {
			params[strings.TrimSuffix(name, "}")] = value
		} else if part != value {
			return nil, false
		}
	}
	return params, true
}

// handle checks the request, does what it asks for, and answers it.
func (c *call) handle() {
	if c.r.UserAgent() == "" {
		c.problem("%s %s: no User-Agent", c.r.Method, c.r.URL.Path)
	}
	if !c.authenticate() {
		return
	}
	if c.r.URL.Path == c.graphQLPath() && c.r.Method == http.MethodPost {
		c.graphQL()
		return
	}
	if c.op.id == "" {
		c.problem("%s %s: no such operation", c.r.Method, c.r.URL.Path)
		c.refuse(http.StatusNotFound, "Not Found")
		return
	}
	if err := c.config.Contract.Validate(c.op, c.r, c.params, c.body); err != nil {
		c.problem("%s (%s %s): %v", c.op.id, c.r.Method, c.r.URL.Path, err)
		c.refuse(http.StatusUnprocessableEntity, "Validation Failed")
		return
	}
	if c.checkVersion(); !c.permitted() {
		return
	}
	if owner, ok := c.params["owner"]; ok && !strings.EqualFold(owner+"/"+c.params["repo"], Owner+"/"+Name) {
		c.refuse(http.StatusNotFound, "Not Found")
		return
	}
	c.op.handle(c)
}

// checkVersion notes a version of the API that GitHub does not know as a problem.
func (c *call) checkVersion() {
	if v := c.r.Header.Get("X-GitHub-Api-Version"); v != "" && v != "2022-11-28" {
		c.problem("%s: API version %q", c.op.id, v)
	}
}

// refuse answers with an error.
func (c *call) refuse(status int, message string) {
	c.answer(status, map[string]any{
		"message": message, "documentation_url": "https://docs.github.com/rest", "status": strconv.Itoa(status),
	})
}

// answer answers with JSON.
func (c *call) answer(status int, value any) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(value); err != nil {
		c.t.Error(err)
	}
	c.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	c.w.WriteHeader(status)
	c.w.Write(b.Bytes()) // an error means that the client is gone
}

// page returns the page of a list that the request asks for, and adds the header with the addresses of other pages.
func page[T any](c *call, list []T) []T {
	query := c.r.URL.Query()
	size, number := 30, 1
	if n, err := strconv.Atoi(query.Get("per_page")); err == nil && n > 0 {
		size = min(n, 100)
	}
	if n, err := strconv.Atoi(query.Get("page")); err == nil && n > 0 {
		number = n
	}
	last := max((len(list)+size-1)/size, 1)
	var links []string
	link := func(to int, rel string) {
		query.Set("page", strconv.Itoa(to))
		links = append(links, fmt.Sprintf(`<%s%s?%s>; rel="%s"`, c.server.URL, c.r.URL.Path, query.Encode(), rel))
	}
	if number > 1 {
		link(number-1, "prev")
	}
	if number < last {
		link(number+1, "next")
		link(last, "last")
	}
	if len(links) > 0 {
		c.w.Header().Set("Link", strings.Join(links, ", "))
	}
	return list[min((number-1)*size, len(list)):min(number*size, len(list))]
}
