package proxy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// origin is the server to which requests are forwarded; requests go to no other server.
type origin struct {
	url     *url.URL
	headers http.Header // set on every request; nil for none
	base    *http.Transport
}

// maxResponseHeader bounds the head of a server's response, in bytes.
const maxResponseHeader = 1 << 20

var errNotHTTP = errors.New("the URL is not an http or https address") // the URL may hold a secret

// newOrigin returns the server at an address. A user in the address is sent as a header, unless headers already hold an
// authorization.
func newOrigin(address string, headers http.Header) (*origin, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errNotHTTP
	}
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.DisableCompression = true // bodies pass unchanged
	base.MaxResponseHeaderBytes = maxResponseHeader
	base.MaxIdleConnsPerHost = maxConnections
	return &origin{url: u, headers: withUser(headers, u.User), base: base}, nil
}

// withUser returns headers with the user and the password of an address, unless headers already hold an authorization;
// user may be nil.
func withUser(headers http.Header, user *url.Userinfo) http.Header {
	headers = headers.Clone()
	if user == nil || headers.Get("Authorization") != "" {
		return headers
	}
	password, _ := user.Password()
	req := http.Request{Header: http.Header{}}
	req.SetBasicAuth(user.Username(), password)
	maps.Copy(req.Header, headers)
	return req.Header
}

var errUserinfo = errors.New("the URL has a user or a password, expected these in a header of the client")

func newOriginRefusingUser(address string) (*origin, error) {
	o, err := newOrigin(address, nil)
	if err == nil && o.url.User != nil {
		return nil, errUserinfo
	}
	return o, err
}

// redirectError means a redirect that is not followed.
type redirectError struct{ host string }

func (e *redirectError) Error() string {
	return fmt.Sprintf("the server redirects to another origin, %q, which gets no requests", e.host)
}

// maxRedirects bounds the redirects of a request within the origin: that many are an error, fewer are followed.
const maxRedirects = 5

// RoundTrip makes a request to the server. It follows a redirect within the origin that keeps the message, because some
// servers answer only at the address with a slash; a redirect to another origin is an error.
func (o *origin) RoundTrip(req *http.Request) (*http.Response, error) {
	for range maxRedirects {
		resp, err := o.base.RoundTrip(req)
		if err != nil {
			return resp, err
		}
		isRedirect := resp.StatusCode >= 300 && resp.StatusCode < 400
		if !isRedirect || resp.Header.Get("Location") == "" {
			return resp, nil
		}
		to, err := req.URL.Parse(resp.Header.Get("Location"))
		if err != nil || to.Scheme != o.url.Scheme || !strings.EqualFold(to.Host, o.url.Host) {
			resp.Body.Close()
			return nil, &redirectError{hostOf(to)}
		}
		keepsMessage := resp.StatusCode == http.StatusTemporaryRedirect || resp.StatusCode == http.StatusPermanentRedirect
		if !keepsMessage || req.GetBody == nil {
			resp.Header.Set("Location", to.RequestURI()) // the client's next request comes through here again
			return resp, nil
		}
		resp.Body.Close()
		if req, err = requestTo(req, to); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("the server redirects in circles")
}

func hostOf(u *url.URL) string {
	if u == nil {
		return ""
	}
	return u.Host
}

func requestTo(req *http.Request, to *url.URL) (*http.Request, error) {
	body, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	next := req.Clone(req.Context())
	next.URL, next.Body = to, body
	return next, nil
}

func setBody(req *http.Request, body []byte) {
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody()
	req.ContentLength = int64(len(body))
	if len(body) == 0 {
		req.Body = http.NoBody
	}
}

// watchedBody is a body that passes its bytes to see while they are read.
type watchedBody struct {
	io.ReadCloser
	see func(data []byte)
	end func(isCut bool) // called once
}

// Read reads the body, and passes the bytes to see.
func (s *watchedBody) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if n > 0 {
		s.see(p[:n])
	}
	if err != nil {
		s.finish(!errors.Is(err, io.EOF))
	}
	return n, err
}

// Close closes the body. If it was not read to its end, end is called with isCut.
func (s *watchedBody) Close() error {
	s.finish(true)
	return s.ReadCloser.Close()
}

func (s *watchedBody) finish(isCut bool) {
	if s.end != nil {
		end := s.end
		s.end = nil
		end(isCut)
	}
}
