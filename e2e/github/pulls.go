package github

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Pull is a pull request. Its head and its merge commit are refs/pull/N/head and refs/pull/N/merge of the repository.
type Pull struct {
	Number   int
	Closed   bool
	HeadRepo string // owner/name; "" if the repository was deleted
	HeadRef  string // branch
	BaseRef  string // branch
	BaseSHA  string // commit of the base in answers and events; "" for the branch's tip
}

// AddPull adds a pull request, whose head may be in another repository, and returns it.
func (s *Server) AddPull(p Pull) *Pull {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pulls = append(s.pulls, &p)
	return &p
}

// HeadOf returns the current head commit of a pull request.
func (s *Server) HeadOf(p *Pull) string {
	return s.config.Repo.Resolve(fmt.Sprintf("refs/pull/%d/head", p.Number))
}

// JSON returns a pull request in the form of answers and events.
func (s *Server) JSON(p *Pull) map[string]any {
	base := p.BaseSHA
	if base == "" {
		base = s.config.Repo.Resolve("refs/heads/" + p.BaseRef)
	}
	state := "open"
	if p.Closed {
		state = "closed"
	}
	var merge any
	if sha := s.config.Repo.Resolve(fmt.Sprintf("refs/pull/%d/merge", p.Number)); sha != "" {
		merge = sha
	}
	owner, _, _ := strings.Cut(p.HeadRepo, "/")
	return map[string]any{
		"number": p.Number, "state": state, "title": "a change", "draft": false, "merge_commit_sha": merge,
		"head": map[string]any{"ref": p.HeadRef, "sha": s.HeadOf(p), "repo": repoJSON(p.HeadRepo), "label": owner + ":" + p.HeadRef},
		"base": map[string]any{"ref": p.BaseRef, "sha": base, "repo": repoJSON(Owner + "/" + Name), "label": Owner + ":" + p.BaseRef},
	}
}

// repoJSON describes a repository; nil for a repository that was deleted.
func repoJSON(fullName string) any {
	if fullName == "" {
		return nil
	}
	_, name, _ := strings.Cut(fullName, "/")
	return map[string]any{"full_name": fullName, "name": name, "fork": fullName != Owner+"/"+Name}
}

// pullOf returns the pull request that the request names. If there is none, it refuses the request and returns nil.
func (c *call) pullOf(param string) *Pull {
	i := slices.IndexFunc(c.pulls, func(p *Pull) bool { return strconv.Itoa(p.Number) == c.params[param] })
	if i < 0 {
		c.refuse(http.StatusNotFound, "Not Found")
		return nil
	}
	return c.pulls[i]
}

func (c *call) getPull() {
	if p := c.pullOf("pull_number"); p != nil {
		c.answer(http.StatusOK, c.JSON(p))
	}
}

// listPulls lists pull requests, by default the newest first and only the open ones.
func (c *call) listPulls() {
	query := c.r.URL.Query()
	list := []map[string]any{}
	for _, p := range slices.Backward(c.pulls) {
		owner, _, _ := strings.Cut(p.HeadRepo, "/")
		state := query.Get("state")
		switch {
		case state != "all" && p.Closed != (state == "closed"),
			query.Get("base") != "" && query.Get("base") != p.BaseRef,
			query.Get("head") != "" && query.Get("head") != owner+":"+p.HeadRef:
			continue
		}
		list = append(list, c.JSON(p))
	}
	if query.Get("direction") == "asc" || query.Get("sort") != "" && query.Get("direction") == "" {
		slices.Reverse(list)
	}
	c.answer(http.StatusOK, page(c, list))
}
