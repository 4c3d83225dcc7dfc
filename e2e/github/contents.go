package github

import (
	"encoding/base64"
	"net/http"
	"strings"
)

func (c *call) getCommit() {
	commit, err := c.config.Repo.ReadCommit(c.params["commit_sha"])
	if err != nil {
		c.refuse(http.StatusNotFound, "Not Found")
		return
	}
	parents := []any{}
	for _, sha := range commit.Parents {
		parents = append(parents, map[string]any{"sha": sha})
	}
	c.answer(http.StatusOK, map[string]any{
		"sha": c.params["commit_sha"], "tree": map[string]any{"sha": commit.Tree}, "parents": parents, "message": commit.Message,
	})
}

func (c *call) getRef() {
	name := "refs/" + c.params["ref"]
	sha := c.config.Repo.Resolve(name)
	if sha == "" {
		c.refuse(http.StatusNotFound, "Not Found")
		return
	}
	c.answer(http.StatusOK, map[string]any{"ref": name, "object": map[string]any{"type": "commit", "sha": sha}})
}

// getCommitOfRef answers only with the hash of the commit, because the program asks for nothing else.
func (c *call) getCommitOfRef() {
	sha := c.config.Repo.Resolve(c.params["ref"])
	if sha == "" {
		c.refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.params["ref"])
		return
	}
	c.w.Header().Set("Content-Type", "application/vnd.github.sha; charset=utf-8")
	c.w.WriteHeader(http.StatusOK)
	c.w.Write([]byte(sha)) // an error means that the client is gone
}

func (c *call) compare() {
	base, head, _ := strings.Cut(c.params["basehead"], "...")
	base, head = c.config.Repo.Resolve(base), c.config.Repo.Resolve(head)
	common, err := c.config.Repo.MergeBase(base, head)
	if base == "" || head == "" || err != nil {
		c.refuse(http.StatusNotFound, "Not Found")
		return
	}
	c.answer(http.StatusOK, map[string]any{
		"base_commit": map[string]any{"sha": base}, "merge_base_commit": map[string]any{"sha": common}, "commits": []any{}, "files": []any{},
	})
}

// maxTree is the greatest number of entries that GitHub lists of a tree that is read recursively.
const maxTree = 100_000

func (c *call) getTree() {
	recursive := c.r.URL.Query().Has("recursive") // with any value
	entries, err := c.config.Repo.Tree(c.params["tree_sha"], recursive)
	if err != nil {
		c.refuse(http.StatusNotFound, "Not Found")
		return
	}
	limit := maxTree
	if c.config.TreeLimit > 0 {
		limit = c.config.TreeLimit
	}
	shown := entries[:min(len(entries), limit)]
	list := []map[string]any{}
	for _, e := range shown {
		entry := map[string]any{"path": e.Path, "mode": e.Mode, "type": e.Type, "sha": e.SHA}
		if e.Type == "blob" {
			entry["size"] = e.Size
		}
		list = append(list, entry)
	}
	c.answer(http.StatusOK, map[string]any{
		"sha": c.params["tree_sha"], "tree": list, "truncated": len(shown) < len(entries),
	})
}

func (c *call) getBlob() {
	data, err := c.config.Repo.Blob(c.params["file_sha"])
	if err != nil {
		c.refuse(http.StatusNotFound, "Not Found")
		return
	}
	accept := c.r.Header.Get("Accept")
	if strings.Contains(accept, ".raw") {
		c.w.Header().Set("Content-Type", "application/vnd.github.raw; charset=utf-8")
		c.w.WriteHeader(http.StatusOK)
		c.w.Write(data) // an error means that the client is gone
		return
	}
	c.answer(http.StatusOK, map[string]any{
		"sha": c.params["file_sha"], "size": len(data), "encoding": "base64", "content": base64.StdEncoding.EncodeToString(data),
	})
}

// getTarball redirects the client to another host, which must not get the token.
func (c *call) getTarball() {
	sha := c.config.Repo.Resolve(c.params["ref"])
	if sha == "" {
		c.refuse(http.StatusNotFound, "Not Found")
		return
	}
	host := strings.Replace(c.download.URL, "127.0.0.1", "localhost", 1)
	c.w.Header().Set("Location", host+"/"+Owner+"/"+Name+"/legacy.tar.gz/"+sha+"?token=one-time")
	c.w.WriteHeader(http.StatusFound)
}

// Archive is the Operation of a [Fault] for requests to the other host.
const Archive = "archive"

// serveArchive answers requests to the other host.
func (s *Server) serveArchive(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.downloads++
	for name, values := range r.Header {
		for token := range s.tokens {
			if token != "" && strings.Contains(strings.Join(values, " "), token) {
				s.problem("the header %s showed the token to another host", name)
			}
		}
	}
	if r.Header.Get("Authorization") != "" {
		s.problem("another host was sent the header Authorization")
	}
	for _, f := range s.faults {
		if f.Operation == Archive && f.hits(Archive) {
			http.Error(w, f.Message, f.Status)
			return
		}
	}
	data, err := s.config.Repo.Archive(strings.TrimPrefix(r.URL.Path, "/"+Owner+"/"+Name+"/legacy.tar.gz/"))
	if err != nil {
		http.Error(w, "404: Not Found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/x-gzip")
	w.Write(data) // an error means that the client is gone
}
