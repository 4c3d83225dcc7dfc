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

// origin is the server that requests are forwarded to, and no other.
type origin struct {
	url     *url.URL
	headers http.Header // set on every request; nil for none
	base    *http.Transport
}

// maxResponseHeader bounds the head of a server's response, in bytes.
const maxResponseHeader = 1 << 20

var errNotHTTP = errors.New("the URL is not an http or https address") // and may hold a secret

// newOrigin returns the server of an address. A user in it is sent as a header, unless headers name another one.
func newOrigin(address string, headers http.Header) (*origin, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errNotHTTP
	}
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.DisableCompression = true // bodies pass as they are
	base.MaxResponseHeaderBytes = maxResponseHeader
	base.MaxIdleConnsPerHost = maxConnections
	return &origin{url: u, headers: withUser(headers, u.User), base: base}, nil
}

// withUser returns headers with the user and the password of an address, unless they name another one; user may be nil.
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

func newOpenOrigin(address string) (*origin, error) {
	o, err := newOrigin(address, nil)
	if err == nil && o.url.User != nil {
		return nil, errUserinfo
	}
	return o, err
}

// redirectError is a redirect that is not followed.
type redirectError struct{ host string }

func (e *redirectError) Error() string {
	return fmt.Sprintf("the server redirects to another origin, %q, which gets no requests", e.host)
}

// maxRedirects is how many redirects within the origin are followed.
const maxRedirects = 5

// RoundTrip makes a request to the server. A redirect within the origin that keeps the message is followed, because some
// servers answer at the address with a slash only; one to another origin is an error.
func (o *origin) RoundTrip(req *http.Request) (*http.Response, error) {
	for range maxRedirects {
		resp, err := o.base.RoundTrip(req)
		if err != nil || resp.StatusCode < 300 || resp.StatusCode >= 400 || resp.Header.Get("Location") == "" {
			return resp, err
		}
		to, err := req.URL.Parse(resp.Header.Get("Location"))
		if err != nil || to.Scheme != o.url.Scheme || !strings.EqualFold(to.Host, o.url.Host) {
			resp.Body.Close()
			return nil, &redirectError{hostOf(to)}
		}
		keeps := resp.StatusCode == http.StatusTemporaryRedirect || resp.StatusCode == http.StatusPermanentRedirect
		if !keeps || req.GetBody == nil {
			resp.Header.Set("Location", to.RequestURI()) // through here again
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

// seen is a body whose bytes are shown to somebody as they pass.
type seen struct {
	io.ReadCloser
	see func(data []byte)
	end func(isCut bool) // called once
}

// Read reads, and shows what was read.
func (s *seen) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if n > 0 {
		s.see(p[:n])
	}
	if err != nil {
		s.finish(!errors.Is(err, io.EOF))
	}
	return n, err
}

// Close closes the body, which was cut where it was not read to its end.
func (s *seen) Close() error {
	s.finish(true)
	return s.ReadCloser.Close()
}

func (s *seen) finish(isCut bool) {
	if s.end != nil {
		end := s.end
		s.end = nil
		end(isCut)
	}
}
