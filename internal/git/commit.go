package git

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Commit holds the fields of a commit.
type Commit struct {
	Tree    string
	Parents []string
	Author  string // name of the author as written; "" if the commit has none
	Time    int64  // committer's time, in seconds since 1970; 0 if the commit has none
	Subject string // first paragraph of the message on one line, otherwise as written; "" for none
}

// maxHeader is the number of bytes that are read of a commit or tag: the fields are at the beginning, and the message
// follows.
const maxHeader = 1 << 20

// Commit returns the commit with a hash. Its parents are listed even if a shallow clone lacks them.
func (o *Objects) Commit(hash string) (Commit, error) {
	k, text, err := o.read(hash, maxHeader)
	if err == nil && k != commitKind {
		err = fmt.Errorf("is a %s, expected a commit", k)
	}
	if err != nil {
		return Commit{}, err
	}
	c, err := o.repository.parseHeader(text)
	if err != nil {
		return Commit{}, err
	}
	_, message, _ := bytes.Cut(text, []byte("\n\n"))
	c.Subject = subjectOf(message)
	return c, nil
}

// maxSubject is the greatest length in bytes of a subject or an author's name.
const maxSubject = 1000

// subjectOf returns the first paragraph of a message on one line, like git log's %s.
func subjectOf(message []byte) string {
	paragraph, _, _ := bytes.Cut(bytes.TrimLeft(message[:min(len(message), 4*maxSubject)], "\n"), []byte("\n\n"))
	subject := strings.Join(strings.Fields(string(paragraph)), " ")
	return subject[:min(len(subject), maxSubject)]
}

// parseHeader reads the lines before the message: the tree, the parents, the author and the committer.
func (r *Repository) parseHeader(text []byte) (Commit, error) {
	var c Commit
	for line := range bytes.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimRight(string(line), "\n"), " ")
		isHash := len(value) == 2*r.hashSize && isHex(value)
		switch {
		case key == "tree" && isHash && c.Tree == "":
			c.Tree = value
		case key == "parent" && isHash && c.Tree != "":
			c.Parents = append(c.Parents, value)
		case key == "author" && c.Tree != "":
			c.Author = nameOf(value)
		case key == "committer" && c.Tree != "":
			c.Time = timeOf(value)
			return c, nil
		case key == "" && c.Tree != "": // a commit made by hand, without a committer
			return c, nil
		default:
			return Commit{}, fmt.Errorf("expected the lines of a commit, found %.80q", line)
		}
	}
	if c.Tree == "" {
		return Commit{}, errors.New("a commit without a tree")
	}
	return c, nil
}

// nameOf returns the name in "NAME <ADDRESS> SECONDS ZONE".
func nameOf(who string) string {
	name, _, _ := strings.Cut(who, "<")
	name = strings.TrimSpace(name)
	return name[:min(len(name), maxSubject)]
}

// timeOf returns the time in "NAME <ADDRESS> SECONDS ZONE"; 0 if there is none.
func timeOf(who string) int64 {
	_, when, _ := strings.Cut(who[strings.LastIndexByte(who, '>')+1:], " ")
	seconds, _, _ := strings.Cut(when, " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// maxTags bounds the number of objects that are read to follow a tag, or a tag of a tag, to its commit.
const maxTags = 100

func (o *Objects) followTags(hash string) (string, error) {
	for range maxTags {
		k, text, err := o.read(hash, maxHeader)
		switch {
		case err != nil:
			return "", err
		case k == commitKind:
			return hash, nil
		case k != tagKind:
			return "", fmt.Errorf("is a %s, expected a commit", k)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		target, ok := strings.CutPrefix(line, "object ")
		if !ok {
			return "", fmt.Errorf("expected the object of a tag, found %.80q", line)
		}
		hash = target
	}
	return "", fmt.Errorf("no commit among the first %d objects that the tag leads to", maxTags)
}
