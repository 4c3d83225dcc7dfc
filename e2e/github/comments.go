package github

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Comment is a comment on a pull request.
type Comment struct {
	ID     int64
	Number int // number of the pull request
	Body   string
	Login  string
	Bot    bool
	Edits  int
}

// AddComment adds a comment of a user to a pull request, and returns it.
func (s *Server) AddComment(number int, login, body string) *Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Comment{ID: s.id(), Number: number, Body: body, Login: login, Bot: strings.HasSuffix(login, "[bot]")}
	s.comments = append(s.comments, c)
	return c
}

// maxComment is the greatest number of characters of a comment.
const maxComment = 65536

func (c *call) readComment() (string, bool) {
	var body struct {
		Body string `json:"body"`
	}
	if err := json.Unmarshal(c.body, &body); err != nil {
		c.refuse(http.StatusBadRequest, "Problems parsing JSON")
		return "", false
	}
	switch n := utf8.RuneCountInString(body.Body); {
	case strings.TrimSpace(body.Body) == "":
		c.problem("%s: body is blank", c.op.id)
		c.refuse(http.StatusUnprocessableEntity, "Validation Failed")
	case n > maxComment:
		c.problem("%s: a body of %d characters", c.op.id, n)
		c.answer(http.StatusUnprocessableEntity, map[string]any{"message": "Validation Failed", "errors": []any{map[string]any{
			"resource": "IssueComment", "code": "unprocessable", "field": "data",
			"message": "Body is too long (maximum is 65536 characters)",
		}}})
	default:
		return body.Body, true
	}
	return "", false
}

// listComments lists the comments of a pull request by ascending id.
func (c *call) listComments() {
	if c.pullOf("issue_number") == nil {
		return
	}
	list := []map[string]any{}
	for _, comment := range c.comments {
		if strconv.Itoa(comment.Number) == c.params["issue_number"] {
			list = append(list, c.commentJSON(comment))
		}
	}
	c.answer(http.StatusOK, page(c, list))
}

func (c *call) createComment() {
	p := c.pullOf("issue_number")
	if p == nil {
		return
	}
	if body, ok := c.readComment(); ok {
		comment := &Comment{ID: c.id(), Number: p.Number, Body: body, Login: c.token.Login, Bot: c.token.Bot}
		c.comments = append(c.comments, comment)
		c.answer(http.StatusCreated, c.commentJSON(comment))
	}
}

// commentOf returns the index of the comment that the request names. If there is none, it refuses the request. GitHub lets a token
// that may write change comments of other users, but a request that does so is a problem.
func (c *call) commentOf() (int, bool) {
	i := slices.IndexFunc(c.comments, func(k *Comment) bool { return strconv.FormatInt(k.ID, 10) == c.params["comment_id"] })
	if i < 0 {
		c.refuse(http.StatusNotFound, "Not Found")
		return 0, false
	}
	if c.r.Method != http.MethodGet && c.comments[i].Login != c.token.Login {
		c.problem("%s: comment of %s", c.op.id, c.comments[i].Login)
	}
	return i, true
}

func (c *call) getComment() {
	if i, ok := c.commentOf(); ok {
		c.answer(http.StatusOK, c.commentJSON(c.comments[i]))
	}
}

func (c *call) updateComment() {
	i, found := c.commentOf()
	if !found {
		return
	}
	if body, ok := c.readComment(); ok {
		c.comments[i].Body = body
		c.comments[i].Edits++
		c.answer(http.StatusOK, c.commentJSON(c.comments[i]))
	}
}

func (c *call) deleteComment() {
	if i, ok := c.commentOf(); ok {
		c.comments = slices.Delete(c.comments, i, i+1)
		c.w.WriteHeader(http.StatusNoContent)
	}
}

func (c *call) commentJSON(k *Comment) map[string]any {
	return map[string]any{
		"id": k.ID, "body": k.Body, "user": userOf(k.Login, k.Bot),
		"html_url": fmt.Sprintf("%s/%s/%s/pull/%d#issuecomment-%d", c.SiteURL(), Owner, Name, k.Number, k.ID),
	}
}
