package annotate

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestTransport pins what is sent again, after how long, and when it gives up.
func TestTransport(t *testing.T) {
	const get, post = "GET /user", "POST /graphql"
	reset := map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000040"}
	for name, test := range map[string]struct {
		method   string
		faults   []fault
		requests int
		slept    time.Duration
		err      string // "" for success
	}{
		"all is well":            {method: "GET", requests: 1},
		"502 once":               {"GET", []fault{{match: get, status: 502}}, 2, time.Second, ""},
		"500 and 503":            {"GET", []fault{{match: get, status: 500}, {match: get, status: 503}}, 3, 3 * time.Second, ""},
		"cut off":                {"GET", []fault{{match: get}}, 2, time.Second, ""},
		"outage":                 {"GET", []fault{{match: get, status: 503, times: 99}}, 6, 31 * time.Second, "503"},
		"501 is an answer":       {"GET", []fault{{match: get, status: 501}}, 1, 0, "501"},
		"403 is an answer":       {"GET", []fault{{match: get, status: 403, body: notAccessible}}, 1, 0, notAccessible},
		"429 with seconds":       {"GET", []fault{{match: get, status: 429, header: map[string]string{"Retry-After": "20"}}}, 2, 20 * time.Second, ""},
		"429 with a date":        {"GET", []fault{{match: get, status: 429, header: map[string]string{"Retry-After": "Fri, 15 Jan 2027 08:00:25 GMT"}}}, 2, 25 * time.Second, ""},
		"429 with nothing":       {"GET", []fault{{match: get, status: 429}}, 2, time.Minute, ""},
		"403 with a reset":       {"GET", []fault{{match: get, status: 403, header: reset}}, 2, 41 * time.Second, ""},
		"403 secondary":          {"GET", []fault{{match: get, status: 403, body: "You have exceeded a secondary rate limit"}}, 2, time.Minute, ""},
		"limit beyond budget":    {"GET", []fault{{match: get, status: 429, header: map[string]string{"Retry-After": "3600"}}}, 1, 0, "rate limit is reached, and the next request may be made in 1h0m0s"},
		"hostile Retry-After":    {"GET", []fault{{match: get, status: 429, header: map[string]string{"Retry-After": "-5"}}}, 2, time.Minute, ""},
		"post 502":               {"POST", []fault{{match: post, status: 502}}, 1, 0, "502"},
		"post cut off":           {"POST", []fault{{match: post}}, 1, 0, "EOF"},
		"post limited":           {"POST", []fault{{match: post, status: 403, header: reset}}, 2, 41 * time.Second, ""},
		"limited for good":       {"GET", []fault{{match: get, status: 429, times: 99}}, 2, time.Minute, "rate limit"},
		"primary limit, passed":  {"GET", []fault{{match: get, status: 403, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "5"}}}, 2, time.Second, ""},
		"limit of 0 that is not": {"GET", []fault{{match: get, status: 502, header: reset}}, 2, time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.me, f.viewer = "robot", "robot"
			f.fail(test.faults...)
			c := f.client()
			address := map[string]string{"GET": "user", "POST": "graphql"}[test.method]
			req, err := c.api.NewRequest(test.method, address, map[string]string{"query": "viewer"})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.api.Do(t.Context(), req, nil)
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error is %v, want %q", err, test.err)
			}
			if len(f.requests) != test.requests || f.slept != test.slept {
				t.Errorf("%d requests and %s of waiting, want %d and %s", len(f.requests), f.slept, test.requests, test.slept)
			}
		})
	}
}

// TestTransportBudget pins that all requests together take two minutes at most, and that the last of it is kept for
// the check run.
func TestTransportBudget(t *testing.T) {
	f := newFake(t)
	c := f.client()
	f.fail(fault{match: "GET", status: 429, header: map[string]string{"Retry-After": "100"}})
	f.fail(fault{match: "GET", status: 429, header: map[string]string{"Retry-After": "10"}})
	var limited *limitError
	if _, err := c.PullRequest(t.Context(), 7); !errors.As(err, &limited) {
		t.Errorf("error is %v, want the rate limit", err)
	}
	f.fail(fault{match: "POST", status: 429, header: map[string]string{"Retry-After": "5"}})
	if _, err := c.newCheckRun(checkOptions).publish(t.Context(), conclusion{Success: true}, nil); err != nil {
		t.Error(err)
	}
	f.checkAnnotated(0, "success")
	if f.slept > totalBudget {
		t.Errorf("waited for %s", f.slept)
	}
}

// TestTransportLimitStays pins that nothing is sent while the rate limit says to wait, whatever asks for it.
func TestTransportLimitStays(t *testing.T) {
	f := newFake(t)
	c := f.client()
	f.fail(fault{match: "GET", status: 403, header: map[string]string{"Retry-After": "3600"}})
	var limited *limitError
	for range 2 {
		if _, err := c.PullRequest(t.Context(), 7); !errors.As(err, &limited) {
			t.Errorf("error is %v, want the rate limit", err)
		}
	}
	if _, err := c.newCheckRun(checkOptions).publish(t.Context(), conclusion{}, nil); !errors.As(err, &limited) || len(f.requests) != 1 {
		t.Errorf("error is %v after the requests %v, want the rate limit after one", err, f.requests)
	}
	f.now = f.now.Add(time.Hour)
	if _, err := c.PullRequest(t.Context(), 7); err != nil {
		t.Errorf("after the limit: %v", err)
	}
}

// TestTransportToken pins that the token goes to the API's host alone, whoever redirects where.
func TestTransportToken(t *testing.T) {
	f := newFake(t)
	f.commit(nil) // whose other host refuses a token
	f.mux.HandleFunc("GET /moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/user", http.StatusMovedPermanently)
	})
	f.mux.HandleFunc("GET /away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, f.files.elsewhere.URL, http.StatusFound)
	})
	f.me = "robot"
	c := f.client()
	for _, address := range []string{"moved", "away"} {
		req, err := c.api.NewRequest("GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.api.BareDo(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
}

// TestTransportUnsent pins that a POST is sent again when no connection was made.
func TestTransportUnsent(t *testing.T) {
	f := newFake(t)
	c := f.client()
	f.server.Close()
	_, err := c.newCheckRun(checkOptions).publish(t.Context(), conclusion{}, nil)
	if err == nil || f.slept < 31*time.Second {
		t.Errorf("error is %v after %s, want one after several tries", err, f.slept)
	}
}

func TestNewClient(t *testing.T) {
	for _, c := range []Config{
		{Owner: "octo"}, {Repo: "tools"}, {Owner: "octo", Repo: ".."}, {Owner: "octo", Repo: "a/b"},
		{Owner: "octo", Repo: "tools", BaseURL: "ftp://x"}, {Owner: "octo", Repo: "tools", BaseURL: "https://user@host"},
		{Owner: "octo", Repo: "tools", BaseURL: "%"},
	} {
		if _, err := NewClient(c); err == nil {
			t.Errorf("NewClient(%+v) has no error", c)
		}
	}
	c, err := NewClient(Config{Owner: "octo", Repo: ".github", BaseURL: "https://ghe.example/api/v3"})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"repos/octo/.github": "https://ghe.example/api/v3/repos/octo/.github", c.graphQL(): "https://ghe.example/api/graphql",
	} {
		req, err := c.api.NewRequest("GET", address, nil)
		if err != nil || req.URL.String() != want {
			t.Errorf("%s is at %v, %v, want %s", address, req.URL, err, want)
		}
	}
}
