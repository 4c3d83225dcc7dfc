package annotate

import (
	"bytes"
	"context"
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
	"unicode/utf8"

	"github.com/org/mcp-gates/internal/baseline"
)

const (
	headSHA  = "1111111111111111111111111111111111111111"
	otherSHA = "2222222222222222222222222222222222222222"
	token    = "ghs_secret"
)

// fake is a GitHub on loopback, as strict as the original: its limits, its orders, its refusals.
type fake struct {
	t      *testing.T
	server *httptest.Server
	mux    *http.ServeMux

	mu       sync.Mutex
	requests []string // "METHOD path", in order
	faults   []*fault
	now      time.Time // of the client's clock
	slept    time.Duration

	noChecks, noComments bool // the token may not write them
	checks               []*fakeCheck
	comments             []*fakeComment
	nextID               int64
	head                 string // of pull request 7
	state                string // of pull request 7
	me                   string // login of the token's user; "" for that of an app
	viewer               string // of the other API; "" when it does not answer
	files                *fakeCommit
}

// fault is what goes wrong with the next requests that it matches.
type fault struct {
	match  string // start of "METHOD path"
	wait   func() // called before the answer; with after, it takes effect before
	times  int
	status int // 0 cuts the connection
	after  bool
	slow   bool // nothing goes wrong, late
	header map[string]string
	body   string
}

type fakeCheck struct {
	ID                         int64
	Name, Head, External       string
	Status, Conclusion         string
	Title, Summary             string
	Annotations                []map[string]any
	Updates, AnnotationBatches int
}

type fakeComment struct {
	ID          int64
	Body, Login string
	Type        string
	Edits       int
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{t: t, now: time.Unix(1_800_000_000, 0), head: headSHA, state: "open", nextID: 100, mux: http.NewServeMux()}
	const repo = "/repos/octo/tools"
	for pattern, handle := range map[string]http.HandlerFunc{
		"POST " + repo + "/check-runs":              f.postCheck,
		"PATCH " + repo + "/check-runs/{id}":        f.patchCheck,
		"GET " + repo + "/check-runs/{id}":          f.getCheck,
		"GET " + repo + "/commits/{sha}/check-runs": f.listChecks,
		"GET " + repo + "/issues/7/comments":        f.listComments,
		"POST " + repo + "/issues/7/comments":       f.postComment,
		"PATCH " + repo + "/issues/comments/{id}":   f.patchComment,
		"DELETE " + repo + "/issues/comments/{id}":  f.deleteComment,
		"GET " + repo + "/pulls/7":                  f.getPull,
		"GET " + repo + "/pulls":                    f.listPulls,
		"GET " + repo + "/git/commits/{sha}":        f.getCommit,
		"GET " + repo + "/git/trees/{sha}":          f.getTree,
		"GET " + repo + "/git/blobs/{sha}":          f.getBlob,
		"GET " + repo + "/tarball/{sha}":            f.getTarball,
		"GET /user":                                 f.getUser,
		"POST /graphql":                             f.postGraphQL,
	} {
		f.mux.HandleFunc(pattern, handle)
	}
	f.server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.server.Close)
	return f
}

// client returns a client whose waiting takes no time.
func (f *fake) client() *Client {
	f.t.Helper()
	c, err := NewClient(Config{
		BaseURL: f.server.URL, Token: token, Owner: "octo", Repo: "tools", Version: "test",
		Clock: Clock{
			Now: func() time.Time { f.mu.Lock(); defer f.mu.Unlock(); return f.now },
			Sleep: func(ctx context.Context, d time.Duration) error {
				f.mu.Lock()
				defer f.mu.Unlock()
				f.now = f.now.Add(d)
				f.slept += d
				return ctx.Err()
			},
		},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func (f *fake) fail(faults ...fault) {
	for _, one := range faults {
		if one.times == 0 {
			one.times = 1
		}
		f.faults = append(f.faults, &one)
	}
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	what := r.Method + " " + r.URL.Path
	body, err := io.ReadAll(r.Body) // what is received has its effect, whether or not the client is still there
	if err != nil {
		f.t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, what)
	if got := r.Header.Get("Authorization"); got != "Bearer "+token {
		f.t.Errorf("%s: Authorization is %q", what, got)
	}
	i := slices.IndexFunc(f.faults, func(one *fault) bool { return one.times > 0 && strings.HasPrefix(what, one.match) })
	if i < 0 {
		f.mux.ServeHTTP(w, r)
		return
	}
	one := f.faults[i]
	one.times--
	if one.after {
		f.mux.ServeHTTP(httptest.NewRecorder(), r)
	}
	if one.wait != nil {
		f.mu.Unlock() // others go on meanwhile
		one.wait()
		f.mu.Lock()
	}
	if one.slow {
		f.mux.ServeHTTP(w, r)
		return
	}
	if one.status == 0 {
		panic(http.ErrAbortHandler)
	}
	for key, value := range one.header {
		w.Header().Set(key, value)
	}
	f.refuse(w, one.status, one.body)
}

func (f *fake) refuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"message": message})
}

func (f *fake) answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("X-RateLimit-Remaining", "0") // the last request that the limit allows; the next one is answered, too
	w.Header().Set("X-RateLimit-Reset", "9999999999")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		f.t.Error(err)
	}
}

const notAccessible = "Resource not accessible by integration"

// checkBody is what a request about a check run may hold.
type checkBody struct {
	Name       *string `json:"name"`
	HeadSHA    string  `json:"head_sha"`
	ExternalID string  `json:"external_id"`
	DetailsURL string  `json:"details_url"`
	Status     string  `json:"status"`
	Conclusion string  `json:"conclusion"`
	Output     *struct {
		Title       *string          `json:"title"`
		Summary     *string          `json:"summary"`
		Annotations []map[string]any `json:"annotations"`
	} `json:"output"`
}

func (f *fake) readCheck(w http.ResponseWriter, r *http.Request) (checkBody, bool) {
	var body checkBody
	if f.noChecks {
		f.refuse(w, 403, notAccessible)
		return body, false
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		f.refuse(w, 400, err.Error())
		return body, false
	}
	if why := body.wrong(); why != "" {
		f.refuse(w, 422, why)
		return body, false
	}
	return body, true
}

// wrong says what GitHub would refuse.
func (b checkBody) wrong() string {
	o := b.Output
	switch {
	case b.Name == nil || *b.Name == "" || aboveBMP(*b.Name):
		return "name is missing or wrong"
	case b.Conclusion != "" && b.Conclusion != "success" && b.Conclusion != "failure":
		return "conclusion " + b.Conclusion
	case b.Status != "completed" && (b.Status != "" || b.HeadSHA != ""):
		return "a check run that is left in progress: status " + b.Status
	case b.Status == "completed" && b.Conclusion == "":
		return "conclusion is missing"
	case o == nil:
		return ""
	case o.Title == nil || o.Summary == nil:
		return "output without title or summary"
	case utf8.RuneCountInString(*o.Summary) > 65535:
		return fmt.Sprintf("Only 65535 characters are allowed; %d were supplied.", len(*o.Summary))
	case len(o.Annotations) > 50:
		return "more than 50 annotations"
	}
	for _, a := range o.Annotations {
		if why := wrongAnnotation(a); why != "" {
			return why
		}
	}
	return ""
}

func aboveBMP(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r > 0xffff }) }

func wrongAnnotation(a map[string]any) string {
	text := func(key string) string { s, _ := a[key].(string); return s }
	start, _ := a["start_line"].(float64)
	end, _ := a["end_line"].(float64)
	switch {
	case text("path") == "" || strings.HasPrefix(text("path"), "/") || strings.HasPrefix(text("path"), "./"):
		return fmt.Sprintf("path %q", text("path"))
	case start < 1 || end < start:
		return "lines"
	case !slices.Contains([]string{"notice", "warning", "failure"}, text("annotation_level")):
		return "level " + text("annotation_level")
	case text("message") == "" || len(text("message")) > 64*1024:
		return "message"
	case utf8.RuneCountInString(text("title")) > 255:
		return "title"
	case aboveBMP(text("path") + text("title") + text("message")):
		return "Unicode characters above 0xffff"
	case text("path") == "refused.yml":
		return "this path is refused by the test"
	}
	return ""
}

func (f *fake) postCheck(w http.ResponseWriter, r *http.Request) {
	body, ok := f.readCheck(w, r)
	if !ok {
		return
	}
	if !baseline.IsSHA(body.HeadSHA) {
		f.refuse(w, 422, "No commit found for SHA: "+body.HeadSHA)
		return
	}
	f.nextID++
	c := &fakeCheck{ID: f.nextID, Head: body.HeadSHA, External: body.ExternalID}
	c.take(body)
	f.checks = append(f.checks, c)
	f.answer(w, 201, c.json())
}

// take changes the check run as an update does: annotations are appended.
func (c *fakeCheck) take(body checkBody) {
	c.Name = *body.Name
	if body.Status != "" {
		c.Status = body.Status
	}
	if body.Conclusion != "" {
		c.Conclusion = body.Conclusion
	}
	if o := body.Output; o != nil {
		c.Title, c.Summary = *o.Title, *o.Summary
		if len(o.Annotations) > 0 {
			c.AnnotationBatches++
		}
		c.Annotations = append(c.Annotations, o.Annotations...)
	}
}

func (c *fakeCheck) json() map[string]any {
	return map[string]any{
		"id": c.ID, "name": c.Name, "external_id": c.External, "status": c.Status, "conclusion": c.Conclusion, "html_url": fmt.Sprintf("https://github.test/checks/%d", c.ID),
		"output": map[string]any{"annotations_count": len(c.Annotations)},
	}
}

func (f *fake) check(w http.ResponseWriter, r *http.Request) *fakeCheck {
	for _, c := range f.checks {
		if strconv.FormatInt(c.ID, 10) == r.PathValue("id") {
			return c
		}
	}
	f.refuse(w, 404, "Not Found")
	return nil
}

func (f *fake) patchCheck(w http.ResponseWriter, r *http.Request) {
	body, ok := f.readCheck(w, r)
	if !ok {
		return
	}
	if c := f.check(w, r); c != nil {
		c.Updates++
		c.take(body)
		f.answer(w, 200, c.json())
	}
}

func (f *fake) getCheck(w http.ResponseWriter, r *http.Request) {
	if c := f.check(w, r); c != nil {
		f.answer(w, 200, c.json())
	}
}

func (f *fake) listChecks(w http.ResponseWriter, r *http.Request) {
	list := []any{}
	for _, c := range f.checks {
		if c.Head == r.PathValue("sha") && c.Name == r.URL.Query().Get("check_name") {
			list = append(list, c.json())
		}
	}
	f.answer(w, 200, map[string]any{"total_count": len(list), "check_runs": list})
}

// page cuts a page out of a list in ascending order, and names the next one.
func page[T any](f *fake, w http.ResponseWriter, r *http.Request, list []T) []T {
	query := r.URL.Query()
	size, err := strconv.Atoi(query.Get("per_page"))
	if err != nil || size > 100 {
		size = 30
	}
	number, err := strconv.Atoi(query.Get("page"))
	if err != nil {
		number = 1
	}
	from, to := min((number-1)*size, len(list)), min(number*size, len(list))
	if to < len(list) {
		query.Set("page", strconv.Itoa(number+1))
		next := url.URL{Path: r.URL.Path, RawQuery: query.Encode()}
		w.Header().Set("Link", fmt.Sprintf(`<%s%s>; rel="next"`, f.server.URL, next.String()))
	}
	return list[from:to]
}

func (c *fakeComment) json() map[string]any {
	return map[string]any{
		"id": c.ID, "body": c.Body, "html_url": fmt.Sprintf("https://github.test/comments/%d", c.ID),
		"user": map[string]any{"login": c.Login, "type": c.Type},
	}
}

func (f *fake) addComment(login, kind, body string) *fakeComment {
	f.nextID++
	c := &fakeComment{ID: f.nextID, Body: body, Login: login, Type: kind}
	f.comments = append(f.comments, c)
	return c
}

func (f *fake) listComments(w http.ResponseWriter, r *http.Request) {
	list := []any{}
	for _, c := range f.comments {
		list = append(list, c.json())
	}
	f.answer(w, 200, page(f, w, r, list))
}

func (f *fake) commentBody(w http.ResponseWriter, r *http.Request) (string, bool) {
	var body struct {
		Body string `json:"body"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		f.refuse(w, 400, err.Error())
		return "", false
	}
	switch {
	case f.noComments:
		f.refuse(w, 403, notAccessible)
	case utf8.RuneCountInString(body.Body) > 65536:
		f.refuse(w, 422, "Body is too long (maximum is 65536 characters)")
	default:
		return body.Body, true
	}
	return "", false
}

func (f *fake) postComment(w http.ResponseWriter, r *http.Request) {
	if body, ok := f.commentBody(w, r); ok {
		login, kind := actionsBot, "Bot"
		if f.me != "" {
			login, kind = f.me, "User"
		} else if f.viewer != "" {
			login = f.viewer
		}
		f.answer(w, 201, f.addComment(login, kind, body).json())
	}
}

func (f *fake) findComment(w http.ResponseWriter, r *http.Request) int {
	i := slices.IndexFunc(f.comments, func(c *fakeComment) bool { return strconv.FormatInt(c.ID, 10) == r.PathValue("id") })
	if i < 0 {
		f.refuse(w, 404, "Not Found")
	}
	return i
}

func (f *fake) patchComment(w http.ResponseWriter, r *http.Request) {
	body, ok := f.commentBody(w, r)
	if !ok {
		return
	}
	if i := f.findComment(w, r); i >= 0 {
		f.comments[i].Body = body
		f.comments[i].Edits++
		f.answer(w, 200, f.comments[i].json())
	}
}

func (f *fake) deleteComment(w http.ResponseWriter, r *http.Request) {
	if i := f.findComment(w, r); i >= 0 {
		f.comments = slices.Delete(f.comments, i, i+1)
		w.WriteHeader(204)
	}
}

func (f *fake) pull() map[string]any {
	return map[string]any{
		"number": 7, "state": f.state, "merge_commit_sha": otherSHA,
		"head": map[string]any{"sha": f.head, "repo": map[string]any{"full_name": "someone/tools"}},
		"base": map[string]any{"sha": otherSHA},
	}
}

func (f *fake) getPull(w http.ResponseWriter, _ *http.Request) { f.answer(w, 200, f.pull()) }

func (f *fake) listPulls(w http.ResponseWriter, r *http.Request) {
	list := []any{}
	for i := range 150 {
		list = append(list, map[string]any{"number": 1000 + i, "state": "open", "head": map[string]any{"sha": headSHA, "repo": nil}})
	}
	f.answer(w, 200, page(f, w, r, append(list, f.pull())))
}

func (f *fake) getCommit(w http.ResponseWriter, r *http.Request) {
	f.answer(w, 200, map[string]any{"sha": r.PathValue("sha"), "parents": []any{
		map[string]any{"sha": headSHA}, map[string]any{"sha": "../../x"}, map[string]any{"sha": otherSHA},
	}})
}

func (f *fake) getUser(w http.ResponseWriter, _ *http.Request) {
	if f.me == "" {
		f.refuse(w, 403, notAccessible)
		return
	}
	f.answer(w, 200, map[string]any{"login": f.me})
}

func (f *fake) postGraphQL(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || !strings.Contains(string(body), "viewer") || f.viewer == "" {
		f.refuse(w, 403, notAccessible)
		return
	}
	f.answer(w, 200, map[string]any{"data": map[string]any{"viewer": map[string]any{"login": f.viewer}}})
}
