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
	time    int64 // when it was made, in seconds of the epoch
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

// parseCommit reads the lines before the message: the tree, the parents, who wrote it and who committed it.
func (r *Repository) parseCommit(text []byte) (Commit, error) {
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
		case key == "committer" && c.Tree != "":
			c.time = timeOf(value)
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

// peel returns the commit that an object is, or that a tag of it means.
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
