package git

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Commit is a commit, as it says itself.
type Commit struct {
	Tree    string
	Parents []string
	Author  string // name of who wrote the change, as it stands there; "" where the commit does not say
	Time    int64  // when it was committed, in seconds of the epoch; 0 where the commit does not say
	Subject string // first paragraph of the message in one line, as it stands there; "" for none
}

// maxHeader bounds what is read of a commit or tag, in bytes: what is asked for stands at the beginning, the message behind it.
const maxHeader = 1 << 20

// Commit returns the commit with a hash, its parents whether or not a shallow clone has them.
func (o *Objects) Commit(hash string) (Commit, error) {
	k, text, err := o.read(hash, maxHeader)
	if err == nil && k != commitKind {
		err = fmt.Errorf("is a %s, expected a commit", k)
	}
	if err != nil {
		return Commit{}, err
	}
	return o.repository.parseCommit(text)
}

// parseCommit reads the lines before the message (the tree, the parents, who wrote it and who committed it), and the subject.
func (r *Repository) parseCommit(text []byte) (Commit, error) {
	c, err := r.parseHeader(text)
	if err != nil {
		return Commit{}, err
	}
	_, message, _ := bytes.Cut(text, []byte("\n\n"))
	c.Subject = subjectOf(message)
	return c, nil
}

// maxSubject bounds a subject and the name of an author, in bytes.
const maxSubject = 1000

// subjectOf returns the first paragraph of a message in one line, as git log's %s has it.
func subjectOf(message []byte) string {
	paragraph, _, _ := bytes.Cut(bytes.TrimLeft(message[:min(len(message), 4*maxSubject)], "\n"), []byte("\n\n"))
	subject := strings.Join(strings.Fields(string(paragraph)), " ")
	return subject[:min(len(subject), maxSubject)]
}

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
		case key == "" && c.Tree != "": // made by hand, without its committer
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

// timeOf returns the time in "NAME <ADDRESS> SECONDS ZONE"; 0 where there is none.
func timeOf(who string) int64 {
	_, when, _ := strings.Cut(who[strings.LastIndexByte(who, '>')+1:], " ")
	seconds, _, _ := strings.Cut(when, " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// maxTags bounds the tags of tags that are followed.
const maxTags = 100

func (o *Objects) peel(hash string) (string, error) {
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
	return "", fmt.Errorf("more than %d tags of tags", maxTags)
}
